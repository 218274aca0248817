using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Formats;
using NzbDav.Fuzz.Planted;

namespace NzbDav.Fuzz.Command;

/// <summary>Every parser of external bytes.</summary>
internal static class TargetList
{
    /// <summary>Longest disc image in bytes. UDF has structures at sector 256 and later.</summary>
    private const int Disc = 900 << 10;

    /// <summary>In the order in which they are listed.</summary>
    public static IReadOnlyList<FuzzTarget> All { get; } =
    [
        new NzbTarget(),
        new PackageTarget(),
        new YencTarget(),
        new NntpTarget(),
        new ArchiveTarget("rar4", "RAR 1.5 to 4 archives", "plain4", "packed4", "service4")
            { Mender = ArchiveMends.Rar4, Magic = "526172211A0700" },
        new ArchiveTarget("rar5", "RAR 5 archives", "plain5", "packed5", "service5", "blake5", "links5")
            { Mender = ArchiveMends.Rar5, Magic = "526172211A070100" },
        new ArchiveTarget("7z", "7z archives, their LZMA headers too", "plain7", "split7", "lzma7", "lzmatwo7", "ppmd7", "bcj7", "bcjtwo7")
            { Mender = ArchiveMends.SevenZip, Magic = "377ABCAF271C0004" },
        new ArchiveTarget("rar4-locked", "RAR 4 archives with a password", "headers4", "data4", "single4")
            { Mender = ArchiveMends.Rar4, Magic = "526172211A0700", Password = "secret" },
        new ArchiveTarget("rar5-locked", "RAR 5 archives with a password", "headers5", "data5")
            { Mender = ArchiveMends.Rar5, Magic = "526172211A070100", Password = "secret" },
        new ArchiveTarget("7z-locked", "7z archives with a password", "headers7", "data7", "packed7")
            { Mender = ArchiveMends.SevenZip, Magic = "377ABCAF271C0004", Password = "secret" },
        new ArchiveTarget("iso", "ISO 9660 images", "disc-r", "disc-j") { Magic = "014344303031", Longest = Disc },
        new ArchiveTarget("udf", "UDF images", "disc-udf") { Mender = ArchiveMends.Udf, Magic = "4E53523032", Longest = Disc },
        new Par2Target(),
        new MediaTarget("mkv", "Matroska and WebM: EBML", "1A45DFA3", "18538067", "114D9B74", "1F43B675", "1C53BB6B", "1654AE6B",
            "1549A966", "EC", "A3", "01FFFFFFFFFFFFFF"),
        new MediaTarget("mp4", "MP4 and QuickTime: boxes", "66747970", "6D6F6F76", "6D646174", "6D6F6F66", "7374636F", "636F3634",
            "73747363", "7374737A", "75647461", "00000001"),
        new MediaTarget("avi", "AVI: RIFF chunks", "52494646", "41564920", "4C495354", "6D6F7669", "69647831", "6864726C", "696E6478"),
        new MediaTarget("ts", "MPEG transport streams", "47400010", "47", "FFFF", "000001E0"),
        new BencodeTarget(),
        new MetainfoTarget(),
        new MagnetTarget(),
        new ExtensionTarget(),
        new PeerTarget(),
        new EncryptionTarget(),
        new DhtTarget(),
        new UdpTrackerTarget(),
        new HttpTrackerTarget(),
        new LocalTarget(),
        new GatewayTarget(),
        new BlocklistTarget(),
        new LayoutTarget(),
        new StoreTarget(),
        new IniTarget(),
        new PickleTarget(),
        new XmlTarget(),
        new IfTarget(),
        new RangesTarget(),
        new PathsTarget(),
        new FormsTarget(),
        new JsonTarget(),
    ];

    /// <summary>Finds a parser by name; null if there is none. Parsers with planted faults are found, but not listed.</summary>
    public static FuzzTarget? Find(string name) =>
        All.Concat(PlantedTarget.All).FirstOrDefault(target => target.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
}
