using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Security.Cryptography;
using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.SevenZip;

/// <summary>One 7z archive, split into volumes or not. Used for one reading.</summary>
/// <param name="windows">All files of the job.</param>
/// <param name="join">The volumes.</param>
/// <param name="passwords">Passwords, tried in order.</param>
internal sealed class SevenZipArchive(IReadOnlyList<VolumeWindow> windows, VolumeJoin join, ImmutableArray<string> passwords)
{
    /// <summary>Bytes of the signature header.</summary>
    public const int StartLength = 32;

    /// <summary>Longest header in bytes, packed or unpacked. That of a hundred thousand files has about 10 MB.</summary>
    private const int MostHeader = 32 << 20;

    /// <summary>Most levels of headers packed inside each other; 7-Zip writes one.</summary>
    private const int MostLevels = 4;

    private readonly SevenZipKeyring _keyring = new(passwords);
    private string? _password;
    private PasswordProof _proof = PasswordProof.NotNeeded;

    /// <summary>Length in bytes of an archive with this signature header; null if it is no such header.</summary>
    public static long? LengthOf(ReadOnlySpan<byte> start)
    {
        // "SignatureHeader": signature, version, StartHeaderCRC, NextHeaderOffset, NextHeaderSize, NextHeaderCRC.
        if (start.Length < StartLength || Crc32.Append(0, start[12..StartLength]) != BinaryPrimitives.ReadUInt32LittleEndian(start[8..]))
            return null;
        var offset = BinaryPrimitives.ReadUInt64LittleEndian(start[12..]);
        var size = BinaryPrimitives.ReadUInt64LittleEndian(start[20..]);
        return offset <= long.MaxValue / 4 && size <= long.MaxValue / 4 ? StartLength + (long)offset + (long)size : null;
    }

    /// <exception cref="ArchiveException">It cannot be interpreted.</exception>
    /// <exception cref="Content.ContentException">Its header cannot be fetched.</exception>
    public async ValueTask<ArchiveLayout> ReadAsync(ArchiveLayout layout, CancellationToken cancellationToken)
    {
        var start = (await join.ReadAsync(0, StartLength, cancellationToken)).ToArray();
        if (LengthOf(start) is not { } length)
            throw ArchiveException.Damaged($"'{join.Name}': the 7z signature header is damaged.");
        if (length > join.Length)
            throw new ArchiveException(ArchiveRefusalReason.MissingVolumes,
                $"7z volumes missing: the archive of '{join.Name}' has {length} bytes, its volumes {join.Length}.");
        var size = BinaryPrimitives.ReadInt64LittleEndian(start.AsSpan(20));
        if (size == 0)
            return layout;
        var header = SevenZipHeader.Parse((await ReadHeaderAsync(
            length - size, size, BinaryPrimitives.ReadUInt32LittleEndian(start.AsSpan(28)), cancellationToken)).Span);
        for (var level = 0; header.IsEncoded; level++)
        {
            if (level == MostLevels)
                throw ArchiveException.Damaged("7z: the header is packed too many times.");
            header = SevenZipHeader.Parse((await UnpackAsync(header.Folders[0], cancellationToken)).Span);
        }

        var locked = await UnlockAsync(header, cancellationToken);
        return layout with
        {
            Entries = [.. header.Files.Where(file => !file.IsAnti).Select(file => Entry(file, locked))],
            Password = _password,
            Proof = _proof
        };
    }

    private async ValueTask<ReadOnlyMemory<byte>> ReadHeaderAsync(long offset, long size, uint? crc, CancellationToken cancellationToken)
    {
        if (size > MostHeader)
            throw new ArchiveException(
                ArchiveRefusalReason.Unsupported, $"7z: a header of {size} bytes is refused (the most is {MostHeader}).");
        if (offset < 0 || size > join.Length - offset)
            throw ArchiveException.Damaged("7z: the header lies outside the archive.");
        var header = await join.ReadAsync(offset, (int)size, cancellationToken);
        return crc is null || Crc32.Append(0, header.Span) == crc
            ? header : throw ArchiveException.Damaged($"'{join.Name}': the 7z header is damaged.");
    }

    private async ValueTask<ReadOnlyMemory<byte>> UnpackAsync(SevenZipFolder folder, CancellationToken cancellationToken)
    {
        if (folder.Chain is not { } chain)
            throw new ArchiveException(ArchiveRefusalReason.Unsupported, "7z: the header is packed in a way that is not supported.");
        if (Array.Exists(folder.Sizes, size => size > MostHeader))
            throw new ArchiveException(ArchiveRefusalReason.Unsupported, "7z: the header is too long.");
        var packed = await ReadHeaderAsync(folder.PackedStart, folder.PackedSize, crc: null, cancellationToken);
        if (Array.Find(chain, coder => coder.Method == SevenZipCoder.Aes) is not { } aes)
            return Unpack(folder, packed, cipher: null)
                ?? throw ArchiveException.Damaged($"'{join.Name}': the packed 7z header is damaged.");
        foreach (var (password, cipher) in _keyring.Candidates(aes))
        {
            if (Unpack(folder, packed, cipher) is not { } header)
                continue;
            _keyring.Prefer(password);
            (_password, _proof) = (password, PasswordProof.Headers);
            return header;
        }

        throw new ArchiveException(ArchiveRefusalReason.Encrypted, _keyring.Locked("7z headers encrypted"));
    }

    /// <summary>Unpacks a header; null if it is damaged or the password is wrong.</summary>
    private static ReadOnlyMemory<byte>? Unpack(SevenZipFolder folder, ReadOnlyMemory<byte> packed, ArchiveCipher? cipher)
    {
        ReadOnlyMemory<byte>? bytes = packed;
        for (var i = folder.Chain!.Length - 1; i >= 0 && bytes is { } input; i--)
        {
            var (coder, size) = (folder.Chain[i], (int)folder.Sizes[folder.ChainIndexes[i]]);
            bytes = coder.Method switch
            {
                SevenZipCoder.Copy => input.Length >= size ? input[..size] : default(ReadOnlyMemory<byte>?),
                SevenZipCoder.Lzma => LzmaStreams.Decode(coder.Properties.Span, input, size),
                SevenZipCoder.SecondLzma => LzmaStreams.DecodeSecond(input, size),
                SevenZipCoder.Aes => Decrypt(input, cipher!, size),
                _ => throw new ArchiveException(
                    ArchiveRefusalReason.Unsupported, $"7z: a header packed with {coder.Name} is not supported."),
            };
        }

        return bytes is { } all && (folder.Crc32 is null || Crc32.Append(0, all.Span) == folder.Crc32)
            ? all : default(ReadOnlyMemory<byte>?);
    }

    private static ReadOnlyMemory<byte>? Decrypt(ReadOnlyMemory<byte> input, ArchiveCipher cipher, int size)
    {
        if (input.Length % 16 != 0 || size > input.Length)
            return null;
        using var aes = Aes.Create();
        aes.SetKey(cipher.Key.Span);
        return aes.DecryptCbc(input.Span, cipher.IV.Span, PaddingMode.None).AsMemory(0, size);
    }

    /// <summary>Finds the password of the files. Null if it was found or is not needed.</summary>
    private async ValueTask<ArchiveRefusal?> UnlockAsync(SevenZipHeader header, CancellationToken cancellationToken)
    {
        // 7-Zip encrypts headers with the password of the files.
        if (_password is not null)
            return null;
        var encrypted = header.Files.Where(
            file => file is { Size: > 0, Start: 0, Folder: { } folder } && CipherCoder(folder) is not null
            && IsInsideArchive(folder)).ToList();
        if (encrypted.Count == 0)
            return null;
        var (password, proof) = await new PasswordProver(windows).FindAsync(
            encrypted.ConvertAll(file => new EncryptedFile(
                file.Path, join.Pieces(file.Folder!.PackedStart, Math.Min(file.Folder.PackedSize, (file.Size + 15) / 16 * 16)), file.Size,
                file.Crc32, _keyring.Candidates(CipherCoder(file.Folder)!))),
            cancellationToken);
        if (password is null)
            return new ArchiveRefusal(ArchiveRefusalReason.Encrypted, _keyring.Locked("7z encrypted"));
        _keyring.Prefer(password);
        (_password, _proof) = (password, proof);
        return null;
    }

    private ArchiveEntry Entry(SevenZipFile file, ArchiveRefusal? locked)
    {
        var entry = new ArchiveEntry
        {
            Path = file.Path,
            Size = file.Size,
            IsDirectory = file.IsDirectory,
            Modified = file.Modified,
            Crc32 = file.IsDirectory ? null : file.Crc32
        };
        if (file.Folder is not { } folder || file.Size == 0)
            return file.IsDirectory ? entry : entry with { Crc32 = 0 };
        if (Refuse(file, folder, locked) is { } refusal)
            return entry with { Refusal = refusal };
        return CipherCoder(folder) is { } coder
            ? entry with
            {
                Spans = [Cut.Encrypted(
                _keyring.Of(_password!, coder), file.Start, file.Size, (from, length) => join.Pieces(folder.PackedStart + from, length))]
            }
            : entry with { Spans = [new ArchiveSpan(join.Pieces(folder.PackedStart + file.Start, file.Size), Cipher: null, 0, file.Size)] };
    }

    private ArchiveRefusal? Refuse(SevenZipFile file, SevenZipFolder folder, ArchiveRefusal? locked)
    {
        if (folder.Chain is null
            || Array.Find(folder.Chain, coder => coder.Method is not (SevenZipCoder.Copy or SevenZipCoder.Aes)) is not null)
        {
            // BCJ2 splits its output among several coders, so the main coder names the method.
            var coders = folder.Coders.Prepend(folder.Coders[folder.MainCoder]);
            var method = coders.FirstOrDefault(coder => coder.Method is not (SevenZipCoder.Copy or SevenZipCoder.Aes))?.Name ?? "unknown";
            return new ArchiveRefusal(ArchiveRefusalReason.Compressed, $"7z compressed, method {method}: not streamable.");
        }

        if (Array.FindAll(folder.Chain, coder => coder.Method == SevenZipCoder.Aes).Length > 1)
            return new ArchiveRefusal(ArchiveRefusalReason.Unsupported, $"7z: '{file.Path}' is encrypted more than once.");
        if (!IsInsideArchive(folder))
            return new ArchiveRefusal(ArchiveRefusalReason.Damaged, $"7z: '{file.Path}' lies outside the archive.");
        return CipherCoder(folder) is null ? null : locked;
    }

    /// <summary>True if the packed bytes are inside the archive and enough for the folder's claimed size.</summary>
    private bool IsInsideArchive(SevenZipFolder folder) =>
        folder.PackedStart <= join.Length && folder.PackedSize <= join.Length - folder.PackedStart && folder.Size <= folder.PackedSize
        && (CipherCoder(folder) is null || folder.PackedSize % 16 == 0);

    /// <summary>The encryption of a folder that is otherwise stored; null if it is not encrypted, or is compressed.</summary>
    private static SevenZipCoder? CipherCoder(SevenZipFolder folder) =>
        folder.Chain is { } chain && Array.TrueForAll(chain, coder => coder.Method is SevenZipCoder.Copy or SevenZipCoder.Aes)
            ? Array.Find(chain, coder => coder.Method == SevenZipCoder.Aes)
            : null;
}
