using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Text;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <content>Reads what trackers answer.</content>
internal sealed partial class HttpTrackerClient
{
    /// <summary>Longest id of a tracker that is sent back, in bytes: it stands in every announce.</summary>
    private const int MostTrackerId = 256;

    /// <summary>RFC 1952 §2.3.1.</summary>
    private static ReadOnlySpan<byte> Gzip => [0x1f, 0x8b];

    /// <summary>Reads an answer to an announce.</summary>
    internal static TrackerAnswer Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new BencodeReader(bytes);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return TrackerAnswer.Failed("the tracker's answer cannot be read");
        string? failure = null;
        string? warning = null;
        string? id = null;
        TimeSpan? retry = null;
        var peers = new List<IPEndPoint>();
        long? interval = null;
        long? least = null;
        int? seeds = null;
        int? leechers = null;
        int? downloaded = null;
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (key.SequenceEqual("failure reason"u8))
                failure = reader.ReadValue(BencodeToken.Text) ? Encoding.UTF8.GetString(reader.Text) : "unknown";
            else if (key.SequenceEqual("warning message"u8))
                warning = reader.ReadValue(BencodeToken.Text) ? Encoding.UTF8.GetString(reader.Text) : null;
            else if (key.SequenceEqual("retry in"u8))
                retry = ReadRetry(ref reader);
            else if (key.SequenceEqual("tracker id"u8) || key.SequenceEqual("trackerid"u8))
                id = reader.ReadValue(BencodeToken.Text) && reader.Text.Length is > 0 and <= MostTrackerId ? PercentText.Escape(reader.Text) : id;
            else if (key.SequenceEqual("interval"u8))
                interval = reader.ReadInteger(1_800);
            else if (key.SequenceEqual("min interval"u8))
                least = reader.ReadInteger(0);
            else if (key.SequenceEqual("complete"u8))
                seeds = ReadCount(ref reader);
            else if (key.SequenceEqual("incomplete"u8))
                leechers = ReadCount(ref reader);
            else if (key.SequenceEqual("downloaded"u8))
                downloaded = ReadCount(ref reader);
            else if (key.SequenceEqual("peers"u8))
                ReadPeers(ref reader, peers);
            else if (key.SequenceEqual("peers6"u8) && reader.Read())
                ReadCompact(ref reader, 16, peers);
            else
                reader.SkipValue();
        }

        if (reader.Error is not null)
            return TrackerAnswer.Failed("the tracker's answer cannot be read");
        var counts = seeds is { } all && leechers is { } some ? new TrackerCounts(all, some, downloaded) : null;
        return failure is null
            ? TrackerAnswer.Of(peers, interval, least) with { Counts = counts, Warning = warning, TrackerId = id }
            : TrackerAnswer.Refused(failure) with { RetryIn = retry, AskAgainIn = TrackerAnswer.Suggested(interval ?? least) };
    }

    /// <summary>BEP 31: minutes, or "never".</summary>
    private static TimeSpan? ReadRetry(ref BencodeReader reader)
    {
        if (!reader.Read())
            return null;
        if (reader.Token == BencodeToken.Integer)
            return TrackerAnswer.Pause(TimeSpan.FromMinutes(Math.Clamp(reader.Integer, 0, int.MaxValue)));
        if (reader.Token == BencodeToken.Text && reader.Text.SequenceEqual("never"u8))
            return Timeout.InfiniteTimeSpan;
        if (reader.Token == BencodeToken.Text
            && int.TryParse(reader.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var minutes))
            return TrackerAnswer.Pause(TimeSpan.FromMinutes(minutes));
        reader.SkipRest();
        return null;
    }

    /// <summary>
    /// Unpacks an answer that begins as gzip does. It is not asked for; some trackers pack all the same, with or without saying
    /// so. What cannot be unpacked, or is too long, is returned as it is.
    /// </summary>
    private static byte[] Unpack(byte[] bytes)
    {
        if (!bytes.AsSpan().StartsWith(Gzip))
            return bytes;
        try
        {
            using var packed = new GZipStream(new MemoryStream(bytes), CompressionMode.Decompress);
            var plain = new byte[MostBytes];
            var length = packed.ReadAtLeast(plain, plain.Length, throwOnEndOfStream: false);
            return length < plain.Length ? plain[..length] : bytes;
        }
        catch (InvalidDataException)
        {
            return bytes;
        }
    }

    private static TrackerCounts? ReadScrape(ReadOnlySpan<byte> bytes)
    {
        var reader = new BencodeReader(bytes);
        int? seeds = null;
        int? downloaded = null;
        var leechers = 0;
        while (reader.Read())
        {
            if (reader.Token != BencodeToken.Text)
                continue;
            if (reader.Text.SequenceEqual("complete"u8))
                seeds = ReadCount(ref reader);
            else if (reader.Text.SequenceEqual("incomplete"u8))
                leechers = ReadCount(ref reader);
            else if (reader.Text.SequenceEqual("downloaded"u8))
                downloaded = ReadCount(ref reader);
        }

        return reader.Error is null && seeds is { } count ? new TrackerCounts(count, leechers, downloaded) : null;
    }

    private static int ReadCount(ref BencodeReader reader) => (int)Math.Clamp(reader.ReadInteger(0), 0, int.MaxValue);

    private static void ReadPeers(ref BencodeReader reader, List<IPEndPoint> peers)
    {
        if (!reader.Read())
            return;
        if (reader.Token != BencodeToken.List)
        {
            ReadCompact(ref reader, 4, peers);
            return;
        }

        // BEP 3: a list of dictionaries with ip and port.
        while (reader.ReadElement())
        {
            if (reader.Token != BencodeToken.Dictionary)
            {
                reader.SkipRest();
                continue;
            }

            IPAddress? address = null;
            long port = 0;
            while (reader.ReadKey())
            {
                if (reader.Text.SequenceEqual("ip"u8))
                {
                    var text = reader.ReadValue(BencodeToken.Text) ? Encoding.UTF8.GetString(reader.Text) : null;
                    address = IPAddress.TryParse(text, out var parsed) ? parsed : null;
                }
                else if (reader.Text.SequenceEqual("port"u8))
                    port = reader.ReadInteger(0);
                else
                    reader.SkipValue();
            }

            if (address is not null && port is > 0 and <= ushort.MaxValue && peers.Count < TrackerAnswer.MostPeers)
                peers.Add(new IPEndPoint(address, (int)port));
        }
    }

    private static void ReadCompact(ref BencodeReader reader, int addressBytes, List<IPEndPoint> peers)
    {
        if (reader.Token == BencodeToken.Text)
            CompactPeers.Read(reader.Text, addressBytes, peers, TrackerAnswer.MostPeers);
        else
            reader.SkipRest();
    }
}
