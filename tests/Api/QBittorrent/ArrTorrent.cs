using System.Text.Json;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>A torrent parsed from <c>torrents/info</c> as Sonarr and Radarr do: whatever they fail on fails here.</summary>
/// <param name="Hash">In upper case, as they store it.</param>
/// <param name="State">The state as sent.</param>
/// <param name="Status">The status they derive.</param>
/// <param name="Category">The category as sent.</param>
/// <param name="SavePath">The save path as sent.</param>
/// <param name="OutputPath">The path that they import.</param>
/// <param name="CanBeRemoved">True if they remove the torrent after the import.</param>
internal sealed record ArrTorrent(
    string Hash, string State, string Status, string Category, string SavePath, string OutputPath, bool CanBeRemoved)
{
    private const double Tolerance = 0.001;

    public static ArrTorrent Read(JsonElement torrent)
    {
        var (save, content) = (torrent.GetProperty("save_path").GetString()!, torrent.GetProperty("content_path").GetString()!);
        var state = torrent.GetProperty("state").GetString()!;
        var status = state switch
        {
            "error" or "missingFiles" or "stalledDL" => "Warning",
            "stoppedDL" or "pausedDL" => "Paused",
            "queuedDL" or "checkingDL" or "checkingUP" or "checkingResumeData" or "metaDL" or "forcedMetaDL" => "Queued",
            "pausedUP" or "stoppedUP" or "uploading" or "stalledUP" or "queuedUP" or "forcedUP" => "Completed",
            "forcedDL" or "moving" or "downloading" => "Downloading",
            _ => throw new FormatException($"unknown state {state}"),
        };
        if (status == "Completed" && content == save)
            status = "Warning";
        Assert.InRange(torrent.GetProperty("progress").GetDouble(), 0, 1);
        torrent.GetProperty("size").GetInt64();
        torrent.GetProperty("eta").GetInt64();
        torrent.GetProperty("last_activity").GetInt64();
        Assert.NotEmpty(torrent.GetProperty("name").GetString()!);
        return new ArrTorrent(
            torrent.GetProperty("hash").GetString()!.ToUpperInvariant(), state, status, torrent.GetProperty("category")
                .GetString()!, save, content,
            state is "pausedUP" or "stoppedUP" && HasReachedLimit(torrent));
    }

    /// <summary>Evaluates the torrent's own limits, without those of the preferences.</summary>
    private static bool HasReachedLimit(JsonElement torrent)
    {
        var limit = torrent.GetProperty("ratio_limit").GetSingle();
        if (limit >= 0 && limit - torrent.GetProperty("ratio").GetSingle() <= Tolerance)
            return true;
        var minutes = torrent.GetProperty("seeding_time_limit").GetInt64();
        if (minutes >= 0 && torrent.GetProperty("seeding_time").GetInt64() >= minutes * 60)
            return true;
        Assert.True(torrent.GetProperty("inactive_seeding_time_limit").GetInt64() >= -2);
        return false;
    }
}
