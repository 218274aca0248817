using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab.Status;

/// <summary>
/// Buttons of dashboards for work that SABnzbd does by itself from time to time: they succeed and do nothing. Watched folders are read when
/// something changes in them, there are no feeds and no quota, and imports have no separate post-processing.
/// </summary>
internal sealed class HarmlessMode : ISabMode
{
    public IReadOnlyList<string> Names => ["pause_pp", "resume_pp", "watched_now", "rss_now", "reset_quota", "disconnect"];

    public ApiRights Needs(SabCall call) => ApiRights.Change;

    public ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) =>
        ValueTask.FromResult<object>(new StatusAnswer(true));
}
