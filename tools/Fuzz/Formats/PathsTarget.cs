using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Import.Names;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.Fuzz.Formats;

/// <summary>Request targets and their paths. A parsed path must stay in the tree and mean the same when it is parsed again.</summary>
internal sealed class PathsTarget() : FuzzTarget("paths", "Request targets, paths, names in archives")
{
    public override int Longest { get; init; } = 4 << 10;

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [
        .. "/|//|/../|/./|%2e%2e|%2F|%5C|%00|%|%C3%BC|%FF|?|#|;|http://h/|\\|*|/dav".Split('|').Select(Text)];

    public override object? Run(byte[] input, Cuts cuts)
    {
        var text = Encoding.Latin1.GetString(input);
        var whole = RequestTarget.TryGetWholePath(text);
        var said = new StringBuilder();
        foreach (var path in (ReadOnlySpan<StorePath?>)[whole, StorePath.TryParse(text), RequestTarget.TryGetPath(text, text)])
        {
            said.Append(path).Append('\n');
            if (path is null)
                continue;
            foreach (var segment in path.Segments)
                BrokenPromiseException.ThrowUnless(segment.Length > 0 && segment is not ("." or "..") && !segment.Contains('/')
                    && !segment.Contains('\0'), "A segment is a name.");
        }

        // Names as they occur in archives and torrents.
        var safe = SafeName.PathOf(text);
        foreach (var segment in safe)
            BrokenPromiseException.ThrowUnless(
                SafeName.Of(segment) == segment && segment is not ("" or "." or "..") && !segment.Any(static c => char.IsControl(c)
                || c is '/' or '\\') && Encoding.UTF8.GetByteCount(segment) <= 255, "A safe name can be a file's.");
        return said.AppendJoin('/', safe).ToString();
    }
}
