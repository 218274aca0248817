using System.Collections.Immutable;
using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Rar;

/// <summary>Builds the entries of a complete, ordered set. Used for one set.</summary>
internal sealed class RarAssembler(IReadOnlyList<VolumeWindow> windows, IReadOnlyList<RarVolume> volumes, RarKeyring keyring)
{
    /// <exception cref="ArchiveException">The set is inconsistent.</exception>
    /// <exception cref="Content.ContentException">The bytes needed to prove a password cannot be read.</exception>
    public async ValueTask<ArchiveLayout> AssembleAsync(ArchiveLayout layout, CancellationToken cancellationToken)
    {
        var members = Members();
        var (password, proof, locked) = await UnlockAsync(members, cancellationToken);
        var entries = ImmutableArray.CreateBuilder<ArchiveEntry>(members.Count);
        var byPath = new Dictionary<string, ArchiveEntry>(StringComparer.Ordinal);
        foreach (var member in members)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var entry = Entry(member, password, locked, byPath);
            entries.Add(entry);
            byPath.TryAdd(entry.Path, entry);
        }

        return layout with { Entries = entries.ToImmutable(), Password = password, Proof = proof };
    }

    private List<RarMember> Members()
    {
        var members = new List<RarMember>();
        RarFile? first = null;
        var pieces = ImmutableArray.CreateBuilder<ArchivePiece>();
        foreach (var volume in volumes)
        {
            foreach (var file in volume.Files)
            {
                if (file.SplitBefore != first is not null
                    || (first is not null && !string.Equals(first.Path, file.Path, StringComparison.Ordinal)))
                    throw ArchiveException.Damaged($"'{volume.Name}': '{file.Path}' does not continue what the volume before it began.");
                first ??= file;
                if (file.PackedSize > 0)
                    pieces.Add(new ArchivePiece(volume.Index, file.DataOffset, file.PackedSize));
                if (file.SplitAfter)
                    continue;
                members.Add(new RarMember(first, file, pieces.ToImmutable()));
                pieces.Clear();
                first = null;
            }
        }

        return first is null ? members : throw ArchiveException.Damaged($"'{first.Path}' does not end in '{volumes[^1].Name}'.");
    }

    private async ValueTask<(string? Password, PasswordProof Proof, ArchiveRefusal? Locked)> UnlockAsync(
        List<RarMember> members, CancellationToken cancellationToken)
    {
        // The password that opened the headers is also the files' one: RAR accepts only one.
        if (volumes.FirstOrDefault(volume => volume.Password is not null) is { } opened)
            return (opened.Password, opened.Proof, null);
        var encrypted = members.Where(member => member.First.Encryption is not null && member.First.Method == 0 && member.Packed > 0)
            .ToList();
        if (encrypted.Count == 0)
            return (null, PasswordProof.NotNeeded, null);
        var (password, proof) = await ProveAsync(encrypted, cancellationToken);
        return password is null
            ? (null, PasswordProof.Unproved, new ArchiveRefusal(ArchiveRefusalReason.Encrypted, keyring.Locked("RAR encrypted")))
            : (password, proof, null);
    }

    private async ValueTask<(string? Password, PasswordProof Proof)> ProveAsync(
        List<RarMember> members, CancellationToken cancellationToken)
    {
        string? password;
        var proof = PasswordProof.CheckValue;
        if (members.Find(member => !member.First.Encryption!.Check.IsEmpty) is { } checkable)
            password = keyring.Candidates(checkable.First.Encryption!).FirstOrDefault()?.Password;
        else
            (password, proof) = await new PasswordProver(windows).FindAsync(members.ConvertAll(Encrypted), cancellationToken);
        if (password is not null)
            keyring.Prefer(password);
        return (password, proof);
    }

    private EncryptedFile Encrypted(RarMember member)
    {
        var encryption = member.First.Encryption!;
        return new EncryptedFile(
            member.First.Path, member.Pieces, member.First.Size, encryption.KeyedChecksums ? null : member.Last.Crc32,
            keyring.Candidates(encryption).Select(key => (key.Password, CipherOf(encryption, key))));
    }

    private ArchiveEntry Entry(RarMember member, string? password, ArchiveRefusal? locked, Dictionary<string, ArchiveEntry> byPath)
    {
        var (first, last) = (member.First, member.Last);
        var entry = new ArchiveEntry
        {
            Path = first.Path,
            Size = first.IsDirectory ? 0 : first.Size ?? member.Packed,
            IsDirectory = first.IsDirectory,
            Modified = first.Modified,
        };
        if (first.IsDirectory)
            return entry;
        if (first.Link == RarLink.Same && first.LinkTarget is { } target && byPath.TryGetValue(target, out var same))
            return same with { Path = first.Path, Modified = first.Modified };
        if (Refuse(member, locked) is { } refusal)
            return entry with { Refusal = refusal };
        if (member.Packed == 0)
            return entry with { Crc32 = 0 };
        if (first.Encryption is null)
        {
            return entry with
            {
                Spans = [new ArchiveSpan(member.Pieces, Cipher: null, 0, member.Packed)],
                Crc32 = last.Crc32,
                Blake2 = last.Blake2,
            };
        }

        // Each file may have been added with its own password.
        if (KeyOf(first.Encryption, password!) is not { } key)
            return entry
                with
            { Refusal = new ArchiveRefusal(ArchiveRefusalReason.Encrypted, keyring.Locked($"RAR encrypted ('{first.Path}')")) };
        var keyed = first.Encryption.KeyedChecksums;
        return entry with
        {
            Spans = [new ArchiveSpan(member.Pieces, CipherOf(first.Encryption, key), 0, entry.Size)],
            Crc32 = keyed ? null : last.Crc32,
            Blake2 = keyed ? default : last.Blake2,
        };
    }

    /// <summary>Why the file cannot be served as stored; null if it can.</summary>
    private static ArchiveRefusal? Refuse(RarMember member, ArchiveRefusal? locked)
    {
        var (first, size) = (member.First, member.First.Size);
        if (first.Link != RarLink.None)
            return new ArchiveRefusal(ArchiveRefusalReason.Unsupported, $"'{first.Path}' is a link to '{first.LinkTarget}'.");
        if (first.Unsupported is { } unsupported)
            return new ArchiveRefusal(ArchiveRefusalReason.Unsupported, $"RAR, '{first.Path}': {unsupported}.");

        // Even an empty file has a method.
        if (member.Packed == 0 && size == 0)
            return null;
        if (first.Method != 0)
            return new ArchiveRefusal(ArchiveRefusalReason.Compressed,
                $"RAR compressed, method m{first.Method}{(first.Solid ? ", solid" : string.Empty)}: not streamable.");
        if (first.Encryption is null)
            return size is null || size == member.Packed ? null : Wrong(member);
        if (locked is not null)
            return locked;
        return size is { } known && member.Packed % 16 == 0 && known <= member.Packed && member.Packed - known < 16 ? null : Wrong(member);
    }

    private static ArchiveRefusal Wrong(RarMember member) => new(
        ArchiveRefusalReason.Damaged,
        $"RAR: '{member.First.Path}' has {member.First.Size} bytes, and its parts add up to {member.Packed}.");

    private static ArchiveCipher CipherOf(RarEncryption encryption, RarKey key) =>
        new(key.Key, encryption.Format == ArchiveFormat.Rar5 ? encryption.IV : key.IV);

    private RarKey? KeyOf(RarEncryption encryption, string password) =>
        encryption.Check.IsEmpty ? keyring.Of(password, encryption) : keyring.Candidates(encryption).FirstOrDefault();
}

/// <summary>A file of the set, put together from its parts in the volumes.</summary>
/// <param name="First">The header of its first part.</param>
/// <param name="Last">The header of its last part, which contains the file's checksum.</param>
/// <param name="Pieces">Its packed bytes, without empty pieces.</param>
internal sealed record RarMember(RarFile First, RarFile Last, ImmutableArray<ArchivePiece> Pieces)
{
    /// <summary>Total number of packed bytes.</summary>
    public long Packed { get; } = Pieces.Sum(piece => piece.Length);
}
