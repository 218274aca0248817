using System.Collections.Immutable;
using System.Security.Cryptography;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Ciphers;

/// <summary>
/// Finds the password of encrypted files in formats without a check value (RAR4, 7z). A small file with a checksum proves the password.
/// Otherwise the first bytes of a file do, if they match the type that its name implies, or any type whose signature is too long to appear
/// by chance. Where no name implies a type, a single password is accepted without proof.
/// </summary>
internal sealed class PasswordProver(IReadOnlyList<VolumeWindow> windows)
{
    /// <summary>Longest file that is decrypted completely: one article.</summary>
    private const int MostWhole = 256 << 10;

    /// <summary>Number of bytes searched for a signature.</summary>
    private const int MagicLength = 1024;

    /// <summary>Most files whose first bytes are checked: each costs an article.</summary>
    private const int MaxFilesChecked = 4;

    /// <param name="files">The encrypted files, at least one.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The password, null if none is right, and how certain it is.</returns>
    public async ValueTask<(string? Password, PasswordProof Proof)> FindAsync(
        IReadOnlyList<EncryptedFile> files, CancellationToken cancellationToken)
    {
        var summed = files.Where(file => file.Packed <= MostWhole && file.Packed % 16 == 0 && file.Size <= file.Packed
            && file.Crc32 is not null).MinBy(file => file.Packed);
        if (summed is { Size: { } size, Crc32: { } crc })
            return (await FirstAsync(summed, MostWhole, plain => Crc32.Append(0, plain.AsSpan(0, (int)size)) == crc, cancellationToken),
                PasswordProof.Checksum);
        var known = files.Where(file => ArchiveSignature.HasKnownType(file.Path)).ToArray();
        if (known.Length == 0 && files[0].Candidates.Take(2).ToArray() is [var only])
            return (only.Password, PasswordProof.Unproved);

        // Large files are films and archives with known signatures, whatever their names.
        foreach (var file in known.Concat(files.Except(known).OrderByDescending(file => file.Packed))
            .Where(file => file.Packed >= AesCbcContent.BlockSize).Take(MaxFilesChecked))
        {
            if (await FirstAsync(file, MagicLength, plain => ArchiveSignature.FitsName(plain, file.Path)
                || ArchiveSignature.IsStrong(plain), cancellationToken) is { } password)
                return (password, PasswordProof.Magic);
        }

        return (null, PasswordProof.Magic);
    }

    private async ValueTask<string?> FirstAsync(
        EncryptedFile file, int count, Func<byte[], bool> isRight, CancellationToken cancellationToken)
    {
        byte[]? encrypted = null;
        foreach (var (password, cipher) in file.Candidates)
        {
            encrypted ??= await ReadAsync(file, (int)Math.Min(count, file.Packed / 16 * 16), cancellationToken);
            using var aes = Aes.Create();
            aes.SetKey(cipher.Key.Span);
            if (isRight(aes.DecryptCbc(encrypted, cipher.IV.Span, PaddingMode.None)))
                return password;
        }

        return null;
    }

    private async ValueTask<byte[]> ReadAsync(EncryptedFile file, int count, CancellationToken cancellationToken)
    {
        var bytes = new byte[count];
        var filled = 0;
        foreach (var piece in file.Pieces)
        {
            if (filled == count)
                break;
            var part = await windows[piece.Volume].ReadAsync(piece.Offset, (int)Math.Min(piece.Length, count - filled), cancellationToken);
            part.CopyTo(bytes.AsMemory(filled));
            filled += part.Length;
        }

        return bytes;
    }
}

/// <summary>A stored and encrypted file, for a <see cref="PasswordProver"/>.</summary>
/// <param name="Path">Its path, whose extension may imply a type.</param>
/// <param name="Pieces">The ciphertext, beginning with the file's first byte.</param>
/// <param name="Size">Number of plain bytes; null if unknown.</param>
/// <param name="Crc32">CRC-32 of the plain bytes; null if unknown.</param>
/// <param name="Candidates">Each password with its cipher, derived on enumeration.</param>
internal sealed record EncryptedFile(
    string Path, ImmutableArray<ArchivePiece> Pieces, long? Size, uint? Crc32,
    IEnumerable<(string Password, ArchiveCipher Cipher)> Candidates)
{
    /// <summary>Number of bytes of ciphertext.</summary>
    public long Packed { get; } = Pieces.Sum(piece => piece.Length);
}

/// <summary>Messages for archives that no password opened.</summary>
internal static class PasswordTexts
{
    /// <param name="what">What is encrypted, for instance "RAR headers encrypted".</param>
    /// <param name="passwords">The passwords that were tried.</param>
    public static string Locked(string what, ImmutableArray<string> passwords)
    {
        var count = passwords.Count(password => password.Length > 0);
        return count switch
        {
            0 => $"{what}, and there is no password.",
            1 => $"{what}, and the password is wrong.",
            _ => $"{what}, and none of the {count} passwords is right.",
        };
    }
}
