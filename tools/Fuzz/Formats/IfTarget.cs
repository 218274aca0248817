using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.WebDav.Locks;

namespace NzbDav.Fuzz.Formats;

/// <summary>The If header (RFC 4918 §10.4) and the timeout of locks.</summary>
internal sealed class IfTarget() : FuzzTarget("if", "If and Timeout headers of WebDAV requests")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [
        .. "(|)|<|>|[|]|\"|W/\"|Not |<urn:uuid:|http://h/|Infinite|Second-|,| |\t|\0".Split('|').Select(Text)];

    public override object? Run(byte[] input, Cuts cuts)
    {
        var text = Encoding.Latin1.GetString(input);
        var header = IfHeader.TryParse(text);
        BrokenPromiseException.ThrowUnless(header is null || header.Lists.Count > 0, "A header has a list.");
        var timeout = LockTimeout.Parse(text);
        BrokenPromiseException.ThrowUnless(timeout > TimeSpan.Zero, "A lock lasts.");
        return (header, header?.Submits("urn:uuid:1"), timeout);
    }
}
