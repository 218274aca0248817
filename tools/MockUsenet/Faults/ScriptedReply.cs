namespace NzbDav.MockUsenet.Faults;

/// <summary>How a provider answers one request.</summary>
/// <param name="Fault">The fault; null: none by the script.</param>
/// <param name="Delay">Delay of the first byte, in addition to the round trip and to earlier replies.</param>
/// <param name="Rate">Bytes per second of the body; 0: the connection's rate.</param>
public readonly record struct ScriptedReply(Fault? Fault, TimeSpan Delay, long Rate);
