using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Faults;

/// <summary>Decides how a provider answers each request, for example from a recording. Called on the server's threads.</summary>
public interface IReplyScript
{
    /// <summary>The answer to a request for an article that the store has.</summary>
    /// <param name="segment">The article.</param>
    /// <param name="body">True for a request for its body, false for its existence.</param>
    ScriptedReply Answer(PostedSegment segment, bool body);
}

/// <summary>How a provider answers one request.</summary>
/// <param name="Fault">The fault; null: none by the script.</param>
/// <param name="Delay">Delay of the first byte, in addition to the round trip and to earlier replies.</param>
/// <param name="Rate">Bytes per second of the body; 0: the connection's rate.</param>
public readonly record struct ScriptedReply(Fault? Fault, TimeSpan Delay, long Rate);
