using System.Globalization;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Sab.Queue;

/// <summary><c>mode=pause</c>, <c>resume</c>, and <c>config</c> with <c>set_pause</c> or <c>speedlimit</c>: they act on the whole queue and
/// the line.</summary>
internal sealed class PauseMode(QueueSwitch pause, SpeedLimitKeeper line) : ISabMode
{
    public IReadOnlyList<string> Names => ["pause", "resume", "config"];

    /// <summary>The speed limit applies to playback too, so the right to change the queue is not enough for it.</summary>
    public ApiRights Needs(SabCall call) =>
        call.Text("mode") == "config" && call.Text("name") != "set_pause" ? ApiRights.Full : ApiRights.Change;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        switch (call.Text("mode"), call.Text("name"))
        {
            case ("pause", _):
                await pause.PauseAsync(null, cancellationToken);
                return new StatusAnswer(true);
            case ("resume", _):
                await pause.ResumeAsync(cancellationToken);
                return new StatusAnswer(true);
            case (_, "set_pause"):
                return await SetPauseAsync(call, cancellationToken);
            case (_, "speedlimit"):
                // In SABnzbd, no value means no limit.
                var value = call.Text("value") ?? "0";
                if (!line.TryParse(value, out var limit))
                    return new ErrorAnswer(
                        $"'{value}' is not a speed: use bytes per second with K or M (such as 5M), or per cent once " +
                        $"NzbDav__Usenet__LineMegabits is set");
                await line.SetAsync(limit, cancellationToken);
                return new StatusAnswer(true);
            default:
                return ErrorAnswer.NotImplemented;
        }
    }

    private async Task<object> SetPauseAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (!int.TryParse(call.Text("value"), NumberStyles.None, CultureInfo.InvariantCulture, out var minutes))
            return ErrorAnswer.Integer;
        if (minutes == 0)
            await pause.ResumeAsync(cancellationToken);
        else
            await pause.PauseAsync(TimeSpan.FromMinutes(Math.Min(minutes, 525_600)), cancellationToken);
        return new StatusAnswer(true);
    }
}
