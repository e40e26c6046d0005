int main() {}  // owner of the precompiled headers
