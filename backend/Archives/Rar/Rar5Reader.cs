using System.Security.Cryptography;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Rar;

/// <summary>Walks the headers of one RAR 5.0 volume. For one walk.</summary>
internal sealed class Rar5Reader(VolumeWindow window, RarKeyring keyring, RarVolume volume) : IDisposable
{
    private const int BlockSize = 16;

    /// <summary>Distance beyond which the next header is probably in another article.</summary>
    private const long Far = 64 << 10;

    private Aes? _aes;
    private long? _quickOpenAt;
    private Rar5QuickOpen? _quickOpen;

    /// <summary>Reads the headers into the volume.</summary>
    /// <param name="start">Offset of the signature.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ArchiveException">The headers cannot be read.</exception>
    public async ValueTask ReadAsync(long start, CancellationToken cancellationToken)
    {
        var offset = start + RarSignature.Rar5.Length;
        for (var blocks = 0; offset < window.Length; blocks++)
        {
            if (blocks == RarLimits.MostBlocks)
                throw ArchiveException.Damaged($"'{window.Name}' has more than {RarLimits.MostBlocks} headers.");
            var (header, dataOffset) = await ReadHeaderAsync(offset, cancellationToken);
            var (next, encryption) = ParseHeader(header.Span, offset, dataOffset);
            if (next < 0)
                return;

            // Only from the second file on: a film and its notes take two reads anyway.
            if (_quickOpenAt is { } at && at >= next && volume.Files.Count >= 2 && next - dataOffset > Far)
                await OpenQuicklyAsync(at, offset, header.ToArray(), cancellationToken);
            if (encryption is not null)
                await UnlockAsync(encryption, next, cancellationToken);
            offset = next;
        }
    }

    public void Dispose() => _aes?.Dispose();

    /// <summary>Interprets a header. Returns the offset after its data; −1 if nothing that matters follows.</summary>
    private (long Next, RarEncryption? Encryption) ParseHeader(ReadOnlySpan<byte> header, long offset, long dataOffset)
    {
        if (!Rar5Block.TryParse(header, out var block))
            throw Damaged(offset);
        var next = block.DataSize > window.Length - dataOffset ? -1 : dataOffset + block.DataSize;
        switch (block.Type)
        {
            case 1:
                if (!Rar5Fields.ReadMain(block, volume))
                    throw Damaged(offset);
                _quickOpenAt = _aes is null ? Rar5QuickOpen.Locate(block, offset) : null;
                break;
            case 2:
                var file = Rar5Fields.ReadFile(block, dataOffset) ?? throw Damaged(offset);
                if (next < 0)
                    throw RarLimits.TooShort(window, file.Path);
                volume.Files.Add(file);

                // "Data area is continuing in the next volume": nothing follows but the end header.
                if (file.SplitAfter)
                    return (-1, null);
                break;
            case 4:
                var encryption = Rar5Fields.ReadArchiveEncryption(block, out var unsupported);
                if (unsupported is not null)
                    throw new ArchiveException(ArchiveRefusalReason.Unsupported, $"'{window.Name}': {unsupported}.");
                return (next, encryption ?? throw Damaged(offset));
            case 5:
                if (!Rar5Fields.ReadEnd(block, volume))
                    throw Damaged(offset);
                return (-1, null);
        }

        // Service headers (recovery record, quick open information) and unknown types are skipped.
        if (next < 0)
            throw RarLimits.TooShort(window, name: null);
        return (next, null);
    }

    /// <summary>
    /// Reads the copies of the headers that follow. They are trusted if the copy of a header already read is identical. If they cannot be
    /// read, the headers themselves may still be readable.
    /// </summary>
    private async ValueTask OpenQuicklyAsync(long at, long offset, ReadOnlyMemory<byte> known, CancellationToken cancellationToken)
    {
        _quickOpenAt = null;
        try
        {
            if (await Rar5QuickOpen.ReadAsync(window, at, cancellationToken) is { } copies && copies.TryGet(offset, out var copy)
                && copy.Span.SequenceEqual(known.Span))
                _quickOpen = copies;
        }
        catch (ContentException)
        {
        }
    }

    private async ValueTask<(ReadOnlyMemory<byte> Header, long DataOffset)> ReadHeaderAsync(
        long offset, CancellationToken cancellationToken)
    {
        if (_aes is not null)
            return await ReadEncryptedHeaderAsync(_aes, offset, cancellationToken) is { DataOffset: > 0 } plain
                ? plain : throw Damaged(offset);
        if (_quickOpen is not null && _quickOpen.TryGet(offset, out var copy))
            return (copy, offset + copy.Length);
        var prefix = await window.ReadAsync(offset, Rar5Block.PrefixLength, cancellationToken);
        var length = Rar5Block.LengthOf(prefix.Span);
        var header = length == 0 ? default : await window.ReadAsync(offset, length, cancellationToken);
        return length > 0 && header.Length == length ? (header, offset + length) : throw Damaged(offset);
    }

    // "Archive encryption header": every header after it begins with a 16 byte IV and is padded to a multiple of 16.
    private async ValueTask<(ReadOnlyMemory<byte> Header, long DataOffset)> ReadEncryptedHeaderAsync(
        Aes aes, long offset, CancellationToken cancellationToken)
    {
        var first = await window.ReadAsync(offset, 2 * BlockSize, cancellationToken);
        if (first.Length < 2 * BlockSize)
            return default;
        var length = Rar5Block.LengthOf(aes.DecryptCbc(first.Span[BlockSize..], first.Span[..BlockSize], PaddingMode.None));
        var padded = (length + BlockSize - 1) / BlockSize * BlockSize;
        var all = length == 0 ? default : await window.ReadAsync(offset, BlockSize + padded, cancellationToken);
        return length > 0 && all.Length == BlockSize + padded
            ? (aes.DecryptCbc(all.Span[BlockSize..], all.Span[..BlockSize], PaddingMode.None).AsMemory(0, length), offset + all.Length)
            : default;
    }

    private async ValueTask UnlockAsync(RarEncryption encryption, long offset, CancellationToken cancellationToken)
    {
        volume.EncryptedHeaders = true;
        foreach (var key in keyring.Candidates(encryption))
        {
            var aes = Aes.Create();
            aes.SetKey(key.Key.Span);
            var (header, _) = await ReadEncryptedHeaderAsync(aes, offset, cancellationToken);
            if (!header.IsEmpty && Rar5Block.TryParse(header.Span, out var _))
            {
                _aes = aes;
                keyring.Prefer(key.Password);
                volume.Password = key.Password;
                volume.Proof = encryption.Check.IsEmpty ? PasswordProof.Headers : PasswordProof.CheckValue;
                return;
            }

            aes.Dispose();
            if (!encryption.Check.IsEmpty)
                throw Damaged(offset);
        }

        throw new ArchiveException(ArchiveRefusalReason.Encrypted, keyring.Locked("RAR headers encrypted"));
    }

    private ArchiveException Damaged(long offset) =>
        ArchiveException.Damaged($"'{window.Name}': the RAR header at byte {offset} is damaged.");
}
