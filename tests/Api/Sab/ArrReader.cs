using System.Globalization;
using System.Text.Json;

namespace NzbDav.Api.Tests.Sab;

/// <summary>Parses answers as Sonarr, Radarr and Lidarr do: whatever they fail on fails here.</summary>
internal static class ArrReader
{
    /// <summary>The states they know; any other word fails the whole list.</summary>
    private static readonly HashSet<string?> States = new(StringComparer.OrdinalIgnoreCase)
    {
        "Grabbing", "Queued", "Paused", "Checking", "Downloading", "QuickCheck", "Verifying", "Repairing", "Fetching", "Extracting",
            "Moving", "Running", "Completed",
        "Failed", "Deleted", "Propagating",
    };

    private static readonly HashSet<string?> Priorities = new(StringComparer.OrdinalIgnoreCase)
        { "Default", "Paused", "Low", "Normal", "High", "Force", "Repair" };

    public static List<ArrItem> Queue(JsonElement answer)
    {
        var queue = answer.GetProperty("queue");
        Assert.Contains(queue.GetProperty("paused").ValueKind, new[] { JsonValueKind.True, JsonValueKind.False });
        return [.. queue.GetProperty("slots").EnumerateArray().Select(slot =>
        {
            Assert.Contains(slot.GetProperty("priority").GetString(), Priorities);
            TimeLeft(slot.GetProperty("timeleft").GetString()!);
            Number(slot.GetProperty("mb"));
            Number(slot.GetProperty("mbleft"));
            Assert.InRange(int.Parse(slot.GetProperty("percentage").GetString()!, NumberStyles.None, CultureInfo.InvariantCulture), 0, 100);
            slot.GetProperty("index").GetInt32();
            return new ArrItem(slot.GetProperty("nzo_id").GetString()!, slot.GetProperty("filename").GetString()!, State(slot),
                slot.GetProperty("cat").GetString()!, "", "");
        })];
    }

    public static List<ArrItem> History(JsonElement answer)
    {
        var history = answer.GetProperty("history");
        Assert.Contains(history.GetProperty("noofslots").ValueKind, new[] { JsonValueKind.Number });
        return [.. history.GetProperty("slots").EnumerateArray().Select(slot =>
        {
            slot.GetProperty("bytes").GetInt64();
            slot.GetProperty("download_time").GetInt32();
            slot.GetProperty("completed").GetInt64();
            Assert.EndsWith(".nzb", slot.GetProperty("nzb_name").GetString(), StringComparison.Ordinal);
            Assert.NotNull(slot.GetProperty("fail_message").GetString());
            var state = State(slot);
            var storage = slot.GetProperty("storage").GetString()!;

            // The topmost folder with the job's name is imported.
            if (state == "Completed")
                Assert.Contains(slot.GetProperty("name").GetString(), storage.Split('/'));
            return new ArrItem(
                slot.GetProperty("nzo_id").GetString()!, slot.GetProperty("name").GetString()!, state, slot.GetProperty("category")
                    .GetString()!, storage, slot.GetProperty("fail_message").GetString()!);
        })];
    }

    private static string State(JsonElement slot)
    {
        var state = slot.GetProperty("status").GetString()!;
        Assert.Contains(state, States);
        return state;
    }

    private static void TimeLeft(string text)
    {
        var parts = text.Split(':').Select(part => int.Parse(part, NumberStyles.None, CultureInfo.InvariantCulture)).ToArray();
        Assert.InRange(parts.Length, 3, 4);
    }

    private static void Number(JsonElement text) =>
        decimal.Parse(text.GetString()!, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);
}
