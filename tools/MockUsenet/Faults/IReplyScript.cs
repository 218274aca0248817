using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Faults;

/// <summary>Decides what a provider does with each request, by whatever it knows: a recording, for one. Called on the server's threads.</summary>
public interface IReplyScript
{
    /// <summary>The answer to a request for an article that the store has.</summary>
    /// <param name="segment">The article.</param>
    /// <param name="body">Its body is asked for, not only whether it exists.</param>
    ScriptedReply Answer(PostedSegment segment, bool body);
}
