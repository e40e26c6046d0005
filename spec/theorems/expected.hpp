// The obligations that must be there, by name and by hand: whoever removes a theorem, an invariant or a transition must say so here.
#pragma once

namespace streampool::theorems {

inline constexpr const char* expected_invariants[] = {
    "RUN", "WITHIN", "NEWEST-CUT", "OWN-POSITION", "CAPTURED", "PROVED", "RELEASED", "BOUND", "AWAITED-EARLIER",
    "GROWS", "REASON", "STARTED", "CLOSED", "PROVED-CLOSED", "CUT-CLOSED", "PROGRAM-WITHIN", "STAMPED",
    "STAMPS-RISE", "GATE-MADE", "GATES", "UNGIVEN", "ONE-HANDLE", "FREE-ITEM", "FREE-CUT", "ITEM", "NEWEST-MADE",
    "OWNED", "AGED", "AGES-DIFFER", "NEWEST-LAST", "FREE-AFTER", "USES", "REUSED", "FREED-AFTER-REUSED", "BACKED",
    "TOUCHED", "USED-BEFORE", "COUNTED", "IN-SPACE", "RESERVED-BELOW", "RESERVED-SUM", "USED-BELOW", "USED-SUM",
    "CAPPED", "HIGH",
};
inline constexpr const char* expected_transitions[] = {
    "submit", "use", "record", "wait", "hold", "make_gate", "open", "start", "finish", "prove_stream", "prove_event",
    "prove_device", "observe", "malloc", "free", "free_sync", "stop_counting", "settle", "plain_malloc", "reserve",
    "unmap", "release", "trim", "create_pool", "destroy_pool", "set_follow_event", "set_opportunistic",
    "set_internal", "set_threshold", "reset_reserved_high", "reset_used_high", "name_stream", "forget_stream",
    "name_event", "forget_event",
};
inline constexpr const char* expected_statements[] = {
    "HIGH-FALLS", "THRESHOLD", "UNMAPPED", "FRAME",
};
inline constexpr const char* expected_uses[] = {
    "REACH-CLOSED", "CAPTURED-CLOSED", "FREE-CUT-CLOSED", "ORDER-SOUND", "ORDER-SOUND-CLOCK", "NO-DEADLOCK",
    "IDENTITY-STREAM", "IDENTITY-EVENT", "NO-OVERLAP", "REUSE-SAFE", "ACCESS-EXCLUSIVE", "RELEASE-SAFE",
    "PROGRAM-SOUND", "USED-WITHIN-BASE", "USED-WITHIN-STEP", "USED-WITHIN", "SUMS-RISE-STEP", "MONOTONE",
    "EXACT-OFF", "EXACT-ON", "BROKEN-NAMED", "EXACT-PLAIN", "LIMIT", "COMPLETE-POSSIBLE", "NOT-READY-POSSIBLE",
    "REUSE-ACCEPTED", "SAME-EDGES", "PLAIN-ACCEPTED",
};
inline constexpr const char* expected_inductions[] = {
    "malloc.recounted", "malloc.others", "stop_counting.own", "settle.own", "plain_malloc.others", "reserve.others",
    "unmap.own", "unmap.others", "release.own", "release.others", "trim.own", "trim.others",
};

}  // namespace streampool::theorems
