using System.Security.Cryptography;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Finds the password of encrypted files whose headers are plain. RAR5 keeps a check value. RAR4 keeps none: there a small file with its checksum
/// proves it, or else the first bytes of a file whose type its name tells; where there is neither, a single password is taken as it is.
/// </summary>
internal sealed class RarPasswordProver(IReadOnlyList<VolumeWindow> windows, RarKeyring keyring)
{
    /// <summary>Longest file that is decrypted whole: one article.</summary>
    private const int MostWhole = 256 << 10;

    /// <summary>Bytes looked at for a signature.</summary>
    private const int MagicLength = 512;

    /// <param name="members">Stored, encrypted, not empty.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    /// <returns>No password when none is right.</returns>
    public async ValueTask<(string? Password, PasswordProof Proof)> FindAsync(List<RarMember> members, CancellationToken cancellationToken)
    {
        if (keyring.IsEmpty)
            return (null, PasswordProof.Unproved);
        var checkable = members.Find(member => !member.First.Encryption!.Check.IsEmpty);
        if (checkable is not null)
        {
            var key = keyring.Candidates(checkable.First.Encryption!).FirstOrDefault();
            if (key is null)
                return (null, PasswordProof.Unproved);
            keyring.Prefer(key.Password);
            return (key.Password, PasswordProof.CheckValue);
        }

        var summed = members.Where(IsSummed).MinBy(member => member.Packed);
        if (summed is { First.Size: { } size, Last.Crc32: { } crc })
            return (await FirstAsync(summed, MostWhole, plain => Crc32.Of(plain.AsSpan(0, (int)size)) == crc, cancellationToken), PasswordProof.Checksum);
        var known = members.Find(member => ArchiveSignature.HasKnownType(member.First.Path));
        if (known is not null)
            return (await FirstAsync(known, MagicLength, plain => ArchiveSignature.FitsName(plain, known.First.Path), cancellationToken), PasswordProof.Magic);
        var all = keyring.Candidates(members[0].First.Encryption!).Take(2).ToArray();
        return (all is [var only] ? only.Password : null, PasswordProof.Unproved);
    }

    private static bool IsSummed(RarMember member) =>
        member.Packed <= MostWhole && member.Packed % 16 == 0 && member.First.Size <= member.Packed && member.Last.Crc32 is not null && !member.First.Encryption!.KeyedChecksums;

    private async ValueTask<string?> FirstAsync(RarMember member, int count, Func<byte[], bool> isRight, CancellationToken cancellationToken)
    {
        var encryption = member.First.Encryption!;
        var cipher = await ReadAsync(member, (int)Math.Min(count, member.Packed / 16 * 16), cancellationToken);
        foreach (var key in keyring.Candidates(encryption))
        {
            using var aes = Aes.Create();
            aes.SetKey(key.Key.Span);
            var iv = encryption.Format == ArchiveFormat.Rar5 ? encryption.IV : key.IV;
            if (!isRight(aes.DecryptCbc(cipher, iv.Span, PaddingMode.None)))
                continue;
            keyring.Prefer(key.Password);
            return key.Password;
        }

        return null;
    }

    private async ValueTask<byte[]> ReadAsync(RarMember member, int count, CancellationToken cancellationToken)
    {
        var bytes = new byte[count];
        var filled = 0;
        foreach (var piece in member.Pieces)
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
