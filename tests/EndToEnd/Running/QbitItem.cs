using System.Text.Json;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A torrent as the *arrs keep it after each poll of <c>torrents/info</c>.</summary>
/// <param name="Id">The info-hash.</param>
/// <param name="Title">Its name.</param>
/// <param name="Status">The status the *arrs derive.</param>
/// <param name="State">The state as sent.</param>
/// <param name="Category">The category as sent.</param>
/// <param name="OutputPath">The path that the *arrs import.</param>
/// <param name="Progress">0 … 1.</param>
/// <param name="RatioLimit">The ratio limit as sent.</param>
internal sealed record QbitItem(
    string Id, string Title, string Status, string State, string Category, string OutputPath, double Progress, double RatioLimit)
{
    public static QbitItem Read(JsonElement torrent)
    {
        var (save, content, state) = (torrent.GetProperty("save_path").GetString()!, torrent.GetProperty("content_path").GetString()!,
            torrent.GetProperty("state").GetString()!);
        torrent.GetProperty("size").GetInt64();
        torrent.GetProperty("eta").GetInt64();
        torrent.GetProperty("seeding_time").GetInt64();
        torrent.GetProperty("seeding_time_limit").GetInt64();
        torrent.GetProperty("inactive_seeding_time_limit").GetInt64();
        torrent.GetProperty("last_activity").GetInt64();
        torrent.GetProperty("ratio").GetSingle();
        var status = state switch
        {
            "error" or "missingFiles" or "stalledDL" => "Warning",
            "stoppedDL" or "pausedDL" => "Paused",
            "queuedDL" or "checkingDL" or "checkingUP" or "checkingResumeData" or "metaDL" or "forcedMetaDL" => "Queued",
            "pausedUP" or "stoppedUP" or "uploading" or "stalledUP" or "queuedUP" or "forcedUP" =>
                content == save ? "Warning" : "Completed",
            "forcedDL" or "moving" or "downloading" => "Downloading",
            _ => throw new FormatException($"unknown state {state}"),
        };
        return new QbitItem(
            torrent.GetProperty("hash").GetString()!, torrent.GetProperty("name")
                .GetString()!, status, state, torrent.GetProperty("category").GetString()!, content,
            torrent.GetProperty("progress").GetDouble(), torrent.GetProperty("ratio_limit").GetDouble());
    }
}
