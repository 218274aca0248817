using NzbDav.Archives;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Formats;

/// <summary>
/// An archive or a disc image, of one volume or several, read as an import does. Everything served from it must lie in its files.
/// </summary>
/// <param name="name">Its name on the command line.</param>
/// <param name="describes">The format.</param>
/// <param name="fixtures">Archives made by the real programs, by their names up to the first dot.</param>
internal sealed class ArchiveTarget(string name, string describes, params string[] fixtures) : FuzzTarget(name, describes)
{
    /// <summary>Separates two volumes of an input.</summary>
    private static readonly byte[] Border = "\n--next volume--\n"u8.ToArray();

    private readonly BufferPool _pool = new(new BufferBudget(8 << 20));

    /// <summary>Corrects the checksums of one volume.</summary>
    public Action<ArraySegment<byte>> Mender { get; init; } = static _ => { };

    /// <summary>The signature, in hexadecimal.</summary>
    public required string Magic { get; init; }

    /// <summary>Tried where a password is needed; null for none, because deriving keys takes longer than everything else.</summary>
    public string? Password { get; init; }

    public override int Longest { get; init; } = 24 << 10;

    public override IReadOnlyList<byte[]> Words =>
        field ??= [Convert.FromHexString(Magic), Border, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
        [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], Text("../../etc/passwd"), Text("CMT"), Text("RR"), Text("QO"), Text("STM")];

    /// <summary>
    /// The readers' largest needs are key derivation and the window of LZMA (64 MiB); a disc image is held by the fuzzer itself.
    /// </summary>
    public override long MostAllocated(int length) => 64 << 20;

    public override IEnumerable<byte[]> Seeds()
    {
        var folder = new DirectoryInfo(Path.Combine(AppContext.BaseDirectory, "Archives"));
        foreach (var fixture in fixtures)
        {
            yield return folder.EnumerateFiles(fixture + ".*").OrderBy(static file => file.Name, StringComparer.Ordinal)
                .Select(static file => Load(file.FullName)).Aggregate(static (one, other) => [.. one, .. Border, .. other]);
        }
    }

    public override void Mend(byte[] input, Random random)
    {
        foreach (var volume in Volumes(input))
            Mender(volume);
    }

    public override object? Run(byte[] input, Cuts cuts)
    {
        var contents = Volumes(input).Select(volume => (IContent)new CutContent(volume.ToArray(), cuts)).ToArray();
        var volumes = contents.Select((content, i) => new ArchiveVolume(content, $"a.part{i + 1}.rar")).ToArray();
        var options = new ArchiveOptions
        {
            Passwords = Password is null ? [] : [Password],
            MaxVolumesAtOnce = 1,
            Pool = _pool,
            RegularSets = VolumeSeries.Find([.. volumes.Select(volume => volume.Name)])
        };
        var scan = Synchronously.Wait(ArchiveReader.ReadAsync(volumes, options, CancellationToken.None));
        foreach (var layout in scan.Layouts)
            Check(layout, contents);
        return scan;
    }

    private static List<ArraySegment<byte>> Volumes(byte[] input)
    {
        var volumes = new List<ArraySegment<byte>>();
        var start = 0;
        while (volumes.Count < 8 && input.AsSpan(start).IndexOf(Border) is >= 0 and var length)
        {
            volumes.Add(new ArraySegment<byte>(input, start, length));
            start += length + Border.Length;
        }

        volumes.Add(new ArraySegment<byte>(input, start, input.Length - start));
        return volumes;
    }

    private void Check(ArchiveLayout layout, IContent[] contents)
    {
        BrokenPromiseException.ThrowUnless(layout.Refusal is null || layout.Entries.IsEmpty, "A refused archive has no entries.");
        foreach (var entry in layout.Entries)
            Check(entry, contents);
        var inner = layout.Nested.IsEmpty ? [] : layout.Entries.Select(
            entry => entry.Refusal is null ? ArchiveContent.Open(entry, contents, _pool) : new CutContent([], Cuts.Whole)).ToArray();
        foreach (var nested in layout.Nested)
            Check(nested, inner);
        _ = layout.Flatten().Count();
    }

    private void Check(ArchiveEntry entry, IContent[] contents)
    {
        if (entry.Refusal is not null)
        {
            BrokenPromiseException.ThrowUnless(entry.Spans.IsEmpty, "A refused entry has no spans.");
            return;
        }

        BrokenPromiseException.ThrowUnless(
            entry.Size == entry.Spans.Sum(static span => span.Length), "The spans are as long as the entry.");
        foreach (var span in entry.Spans)
        {
            foreach (var piece in span.Pieces)
                BrokenPromiseException.ThrowUnless(
                    piece.Length > 0 && piece.Offset >= 0 && piece.Volume >= 0 && piece.Volume < contents.Length
                    && piece.Length <= contents[piece.Volume].Length - piece.Offset, "A piece lies in its volume.");
            var packed = span.Pieces.Sum(static piece => piece.Length);
            BrokenPromiseException.ThrowUnless(span.Cipher is null ? span.Start == 0 && packed == span.Length : packed % 16 == 0
                && span.Start + span.Length <= packed, "The pieces hold the span.");
        }

        BrokenPromiseException.ThrowUnless(
            ArchiveContent.Open(entry, contents, _pool).Length == entry.Size, "The opened content is as long as the entry.");
    }
}
