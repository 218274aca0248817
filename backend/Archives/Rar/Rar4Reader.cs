using System.Security.Cryptography;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Rar;

/// <summary>Walks the headers of one volume of RAR 1.5 to 4.x (technote.txt of RAR 3.x, "Archive format"). For one walk.</summary>
/// <param name="window">The volume.</param>
/// <param name="keyring">Passwords, for encrypted headers.</param>
/// <param name="volume">Receives the contents of the headers.</param>
/// <param name="toTheEnd">True to read the end header even after a file that continues in the next volume: it has the volume's number, and
/// costs another article.</param>
internal sealed class Rar4Reader(VolumeWindow window, RarKeyring keyring, RarVolume volume, bool toTheEnd)
{
    private const int BlockSize = 16;
    private const int SaltSize = 8;
    private bool _encrypted;
    private string? _password;

    /// <summary>Reads the headers into the volume.</summary>
    /// <param name="start">Offset of the marker block.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ArchiveException">The headers cannot be read.</exception>
    public async ValueTask ReadAsync(long start, CancellationToken cancellationToken)
    {
        var offset = start + RarSignature.Rar4.Length;
        for (var blocks = 0; offset < window.Length; blocks++)
        {
            if (blocks == RarLimits.MostBlocks)
                throw ArchiveException.Damaged($"'{window.Name}' has more than {RarLimits.MostBlocks} headers.");
            var (header, dataOffset) =
                await (_encrypted ? ReadEncryptedHeaderAsync(offset, cancellationToken) : ReadHeaderAsync(offset, cancellationToken));
            if (header.IsEmpty)
                throw Damaged(offset);
            offset = ParseHeader(header.Span, offset, dataOffset);
            if (offset < 0)
                return;
        }
    }

    /// <summary>Interprets a header. Returns the offset after its data; −1 if nothing that matters follows.</summary>
    private long ParseHeader(ReadOnlySpan<byte> header, long offset, long dataOffset)
    {
        if (!Rar4Block.TryParse(header, out var block))
            throw Damaged(offset);
        var next = block.DataSize > window.Length - dataOffset ? -1 : dataOffset + block.DataSize;
        switch (block.Type)
        {
            case Rar4Block.Main:
                volume.IsVolume = (block.Flags & 0x0001) != 0;

                // "First volume (set only by RAR 3.0 and later)".
                volume.IsFirst = (block.Flags & 0x0100) != 0 ? true : null;

                // "Block headers are encrypted".
                _encrypted = volume.EncryptedHeaders = (block.Flags & 0x0080) != 0;
                break;
            case Rar4Block.File:
                var file = Rar4Fields.ReadFile(block, dataOffset) ?? throw Damaged(offset);
                if (next < 0)
                    throw RarLimits.TooShort(window, file.Path);
                volume.Files.Add(file);
                if (file.SplitAfter && !toTheEnd)
                    return -1;
                break;
            case Rar4Block.End:
                Rar4Fields.ReadEnd(block, volume);
                return -1;
        }

        return next < 0 ? throw RarLimits.TooShort(window, name: null) : next;
    }

    private async ValueTask<(ReadOnlyMemory<byte> Header, long DataOffset)> ReadHeaderAsync(
        long offset, CancellationToken cancellationToken)
    {
        var prefix = await window.ReadAsync(offset, Rar4Block.PrefixLength, cancellationToken);
        var length = Rar4Block.LengthOf(prefix.Span);
        var header = length == 0 ? default : await window.ReadAsync(offset, length, cancellationToken);
        return length > 0 && header.Length == length ? (header, offset + length) : default;
    }

    // In an archive with encrypted headers, each header after the main header begins with 8 bytes of salt (unrar: SIZE_SALT30) and is
    // padded to 16.
    private async ValueTask<(ReadOnlyMemory<byte> Header, long DataOffset)> ReadEncryptedHeaderAsync(
        long offset, CancellationToken cancellationToken)
    {
        var first = await window.ReadAsync(offset, SaltSize + BlockSize, cancellationToken);
        if (first.Length < SaltSize + BlockSize)
            return default;
        var salt = first[..SaltSize].ToArray();
        var encryption = new RarEncryption(ArchiveFormat.Rar4, salt, default, Rounds: 0, default, KeyedChecksums: false);
        if (_password is not null)
            return await DecryptAsync(keyring.Of(_password, encryption), offset, cancellationToken);

        // There is no check value: the right password is the one with which the header has the right checksum (16 bits) and a known type.
        foreach (var key in keyring.Candidates(encryption))
        {
            var (header, dataOffset) = await DecryptAsync(key, offset, cancellationToken);
            if (header.IsEmpty || !Rar4Block.TryParse(header.Span, out var block)
                || block.Type is not (>= Rar4Block.File and <= Rar4Block.End))
                continue;
            _password = volume.Password = key.Password;
            volume.Proof = PasswordProof.Headers;
            keyring.Prefer(key.Password);
            return (header, dataOffset);
        }

        throw new ArchiveException(ArchiveRefusalReason.Encrypted, keyring.Locked("RAR headers encrypted"));
    }

    private async ValueTask<(ReadOnlyMemory<byte> Header, long DataOffset)> DecryptAsync(
        RarKey key, long offset, CancellationToken cancellationToken)
    {
        using var aes = Aes.Create();
        aes.SetKey(key.Key.Span);
        var first = await window.ReadAsync(offset + SaltSize, BlockSize, cancellationToken);
        if (first.Length < BlockSize)
            return default;
        var length = Rar4Block.LengthOf(aes.DecryptCbc(first.Span, key.IV.Span, PaddingMode.None));
        var padded = (length + BlockSize - 1) / BlockSize * BlockSize;
        var all = length == 0 ? default : await window.ReadAsync(offset + SaltSize, padded, cancellationToken);
        return length > 0 && all.Length == padded
            ? (aes.DecryptCbc(all.Span, key.IV.Span, PaddingMode.None).AsMemory(0, length), offset + SaltSize + padded)
            : default;
    }

    private ArchiveException Damaged(long offset) =>
        ArchiveException.Damaged($"'{window.Name}': the RAR header at byte {offset} is damaged.");
}
