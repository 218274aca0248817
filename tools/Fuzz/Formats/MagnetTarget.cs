using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Fuzz.Formats;

/// <summary>Magnet links.</summary>
internal sealed class MagnetTarget() : FuzzTarget("magnet", "Magnet links")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [
        .. "magnet:?|&|xt=urn:btih:|xt=urn:btmh:1220|dn=|tr=|x.pe=|so=|ws=|%|%00|%FF|=|+|#|[::1]:1".Split('|').Select(Text)];

    public override object? Run(byte[] input, Cuts cuts)
    {
        var read = MagnetLink.Read(Encoding.UTF8.GetString(input));
        BrokenPromiseException.ThrowUnless(read.Succeeded == read.Error is null, "Either a link or an error.");
        return read.Value is { } link
            ? $"{link.Hash} {link.Name} {string.Join(' ', link.Trackers)} {string.Join(' ', link.Peers)}" : read.Error;
    }
}
