using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Discovery.Local;

namespace NzbDav.Fuzz.Formats;

/// <summary>Announcements in the local network (BEP 14).</summary>
internal sealed class LocalTarget() : FuzzTarget("local", "Announcements in the local network")
{
    public override int Longest { get; init; } = LocalAnnouncement.MostBytes + 100;

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [
        .. "BT-SEARCH * HTTP/1.1\r\n|Host: |Port: |Infohash: |cookie: |\r\n|\r\n\r\n|:|65536|-1|0".Split('|').Select(Text)];

    public override object? Run(byte[] input, Cuts cuts)
    {
        var announcement = LocalAnnouncement.Read(input);
        BrokenPromiseException.ThrowUnless(announcement is null || (announcement.Port is > 0 and <= ushort.MaxValue
            && announcement.Hashes.Count <= LocalAnnouncement.MostHashes), "An announcement is in range.");
        return announcement is null ? null : $"{announcement.Port} {string.Join(' ', announcement.Hashes)} {announcement.Cookie}";
    }
}
