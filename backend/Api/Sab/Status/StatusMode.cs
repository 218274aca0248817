using System.Diagnostics;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Api.Sab.Warnings;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Sab.Status;

/// <summary><c>mode=status</c> and <c>fullstatus</c>.</summary>
internal sealed class StatusMode(
    Live<SabOptions> options, QueueSwitch pause, SpeedLimitKeeper line, ISabTraffic traffic, SpeedMeter speed, Disks disks,
    WarningLog warnings, TimeProvider time) : ISabMode
{
    /// <summary>When the process started.</summary>
    private static readonly DateTimeOffset Started = ReadStart();

    public IReadOnlyList<string> Names => ["status", "fullstatus"];

    public ApiRights Needs(SabCall call) => ApiRights.Read;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        var (free, total) = disks.Space;
        var rate = speed.Rate;
        return new StatusBodyAnswer(new StatusBody
        {
            Completedir = options.Value.CompletedPath,
            Downloaddir = options.Value.MountPath,
            Uptime = Uptime(time.GetUtcNow() - Started),
            Paused = await pause.IsPausedAsync(cancellationToken),
            Speed = SabText.Speed(rate),
            Kbpersec = SabText.Kilobytes(rate),
            Speedlimit = line.Percent,
            SpeedlimitAbs = traffic.SpeedLimit is { } limit ? SabText.Number(limit) : "",
            Diskspace1 = SabText.Gigabytes(free),
            Diskspace2 = SabText.Gigabytes(free),
            Diskspacetotal1 = SabText.Gigabytes(total),
            Diskspacetotal2 = SabText.Gigabytes(total),
            HaveWarnings = SabText.Number(warnings.Count),
            Warnings = [
                .. warnings.Latest.Select(warning => new WarningSlot(warning.Text, warning.Type, warning.At.ToUnixTimeSeconds(), ""))],
            Servers = [.. traffic.Servers.Select(server => new ServerSlot
            {
                Servername = server.Name,
                Servertotalconn = server.MaxConnections,
                Serveractiveconn = server.OpenConnections,
                Serverpriority = server.Priority,
                Serveractive = server.Fault is null,
                Servererror = server.Fault ?? "",
            })],
        });
    }

    private static DateTimeOffset ReadStart()
    {
        using var process = Process.GetCurrentProcess();
        return new DateTimeOffset(process.StartTime);
    }

    private static string Uptime(TimeSpan time) =>
        time.TotalDays >= 1 ? $"{(int)time.TotalDays}d" : time.TotalHours >= 1 ? $"{(int)time.TotalHours}h" : $"{(int)time.TotalMinutes}m";
}

/// <summary><c>mode=version</c> and <c>auth</c>, which clients call before they have a key.</summary>
internal sealed class VersionMode : ISabMode
{
    public IReadOnlyList<string> Names => ["version", "auth"];

    public ApiRights Needs(SabCall call) => ApiRights.None;

    public ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) => new(
        call.Text("mode") == "version"
            ? new VersionAnswer(SabOptions.Version)
            : new AuthAnswer(call.Key is null || call.Rights.HasFlag(ApiRights.Change) ? "apikey" : call.Rights == ApiRights.None
                ? "badkey" : "nzbkey"));
}
