using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Rar;

/// <summary>Reads one volume of either format. Errors become its refusal.</summary>
internal static class RarVolumeReader
{
    /// <param name="window">The volume.</param>
    /// <param name="index">Index in the list of files.</param>
    /// <param name="keyring">Passwords.</param>
    /// <param name="toTheEnd">See <see cref="Rar4Reader"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async ValueTask<RarVolume> ReadAsync(
        VolumeWindow window, int index, RarKeyring keyring, bool toTheEnd, CancellationToken cancellationToken)
    {
        var volume = Begin(ArchiveFormat.Rar5);
        try
        {
            var (start, format) = await FindAsync(window, cancellationToken);
            volume = Begin(format);
            if (format == ArchiveFormat.Rar4)
            {
                await new Rar4Reader(window, keyring, volume, toTheEnd).ReadAsync(start, cancellationToken);
            }
            else
            {
                using var reader = new Rar5Reader(window, keyring, volume);
                await reader.ReadAsync(start, cancellationToken);
            }
        }
        catch (ArchiveException refused)
        {
            volume.Refusal = refused.Refusal;
        }
        catch (ContentException fault)
        {
            volume.Refusal = ArchiveRefusals.Of(fault, window.Name);
        }

        return volume;

        RarVolume Begin(ArchiveFormat format) =>
            new()
            {
                Index = index,
                Name = window.Name,
                Length = window.Length,
                Place = window.Place,
                Posted = window.Posted,
                Format = format
            };
    }

    /// <summary>The kind of RAR archive inside a self-extracting program; null if there is none.</summary>
    public static async ValueTask<FileKind?> IsSelfExtractingAsync(VolumeWindow window, CancellationToken cancellationToken)
    {
        var module = await window.ReadAsync(0, RarLimits.MostModule, cancellationToken);
        return Find(module.Span) is { Start: >= 0 } inside ? inside.Format == ArchiveFormat.Rar4 ? FileKind.Rar4 : FileKind.Rar5 : null;
    }

    private static async ValueTask<(long Start, ArchiveFormat Format)> FindAsync(VolumeWindow window, CancellationToken cancellationToken)
    {
        var head = await window.ReadAsync(0, RarSignature.Length, cancellationToken);
        if (Find(head.Span) is { Start: 0 } found)
            return found;
        if (ArchiveSignature.IsProgram(head.Span))
        {
            var module = await window.ReadAsync(0, RarLimits.MostModule, cancellationToken);
            if (Find(module.Span) is { Start: >= 0 } inside)
                return inside;
        }

        throw ArchiveException.Damaged($"'{window.Name}' does not begin as a RAR volume.");
    }

    private static (long Start, ArchiveFormat Format) Find(ReadOnlySpan<byte> bytes)
    {
        for (var from = 0; from < bytes.Length;)
        {
            var at = bytes[from..].IndexOf(RarSignature.Common);
            if (at < 0)
                break;
            var rest = bytes[(from + at)..];
            if (rest.StartsWith(RarSignature.Rar5))
                return (from + at, ArchiveFormat.Rar5);
            if (rest.StartsWith(RarSignature.Rar4))
                return (from + at, ArchiveFormat.Rar4);
            from += at + 1;
        }

        return (-1, default);
    }
}

/// <summary>Limits against malicious headers, and the message for headers that claim more bytes than there are.</summary>
internal static class RarLimits
{
    /// <summary>Most headers in one volume. The largest archives posted contain a few thousand files.</summary>
    public const int MostBlocks = 100_000;

    /// <summary>Largest offset at which a signature may be in a self-extracting archive; RAR's own modules have less than 0.5 MB.</summary>
    public const int MostModule = 1 << 20;

    /// <summary>The refusal of a header whose data extends beyond the volume's end.</summary>
    public static ArchiveException TooShort(VolumeWindow window, string? name) => ArchiveException.Damaged(
        name is null
            ? $"'{window.Name}' is shorter ({window.Length} bytes) than its headers say."
            : $"'{window.Name}' is shorter ({window.Length} bytes) than its header for '{name}' says.");
}
