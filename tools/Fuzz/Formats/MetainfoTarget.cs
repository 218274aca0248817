using System.Globalization;
using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Fuzz.Formats;

/// <summary>Torrent files. A parsed torrent must be the same after it is written and read again.</summary>
internal sealed class MetainfoTarget() : FuzzTarget("metainfo", "Torrent files")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } =
        [.. BencodeTarget.Usual, .. "4:info|6:length|5:files|4:path|4:name|12:piece length|6:pieces|8:announce|13:announce-list|10:path.utf-8|4:attr1:p|7:privatei1e|12:meta versioni2e|9:file tree|2:..|1:/|0:".Split('|').Select(Text)];

    public override void Mend(byte[] input, Random random) => BencodeTarget.MendLengths(input, random);

    public override object? Run(byte[] input, Cuts cuts)
    {
        var read = Metainfo.Read(input);
        BrokenPromiseException.ThrowUnless(read.Succeeded == read.Error is null, "Either a torrent or an error.");
        if (read.Value is not { } torrent)
            return read.Error;
        var said = Say(torrent);
        var info = torrent.Info;
        var end = 0L;
        foreach (var file in info.Files)
        {
            BrokenPromiseException.ThrowUnless(file.Length >= 0 && file.Offset == end, "The files follow each other.");
            BrokenPromiseException.ThrowUnless(
                !file.Path.Split('/').Any(static part => part is "" or "." or ".."), "A path stays in its folder.");
            end += file.Length;
        }

        BrokenPromiseException.ThrowUnless(
            end == info.Length && info.PieceCount == (info.Length + info.PieceLength - 1) / info.PieceLength, "The pieces hold the files.");
        var again = Metainfo.Read(torrent.Write());
        BrokenPromiseException.ThrowUnless(
            again.Value is not null && Say(again.Value) == said, $"A written torrent can be read again: {again.Error}");
        return said;
    }

    private static string Say(Metainfo torrent)
    {
        var said = new StringBuilder();
        said.Append(CultureInfo.InvariantCulture,
            $"{torrent.Info.Hash} {torrent.Info.Name} {torrent.Info.Length} {torrent.Info.PieceLength} {torrent.Info.IsPrivate}\n");
        foreach (var file in torrent.Info.Files)
            said.Append(file).Append('\n');
        foreach (var tier in torrent.Trackers)
            said.AppendJoin(' ', tier).Append('\n');
        return said.ToString();
    }
}
