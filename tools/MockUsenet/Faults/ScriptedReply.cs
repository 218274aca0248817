namespace NzbDav.MockUsenet.Faults;

/// <summary>How a provider answers one request.</summary>
/// <param name="Fault">What goes wrong; null: nothing by the script.</param>
/// <param name="Delay">Between the moment at which the answer could go out, behind those before it and after the round trip, and its first byte.</param>
/// <param name="Rate">Bytes per second of the body; 0: the connection's rate.</param>
public readonly record struct ScriptedReply(Fault? Fault, TimeSpan Delay, long Rate);
