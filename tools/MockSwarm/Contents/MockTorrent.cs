using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace NzbDav.MockSwarm.Contents;

/// <summary>
/// A torrent over a <see cref="SwarmContent"/>: the info dictionary, its hash, the .torrent file and the magnet link. Immutable.
/// </summary>
public sealed class MockTorrent
{
    private readonly byte[] _info;
    private readonly byte[] _hash;

    /// <param name="name">Name of the torrent, or of the file if there is only one without a folder.</param>
    /// <param name="content">The content to share.</param>
    /// <param name="isPrivate">Sets the private flag (BEP 27).</param>
    /// <param name="infoPadding">Bytes of a meaningless key in the info dictionary, which every client has to keep: gives a large
    /// dictionary without gigabytes of content.</param>
    /// <param name="isHybrid">True: also of version 2 (BEP 52), except that the hashes of that version are made up.</param>
    public MockTorrent(string name, SwarmContent content, bool isPrivate = false, int infoPadding = 0, bool isHybrid = false)
    {
        ArgumentNullException.ThrowIfNull(content);
        Name = name;
        Content = content;
        _info = WriteInfo(name, content, isPrivate, infoPadding, isHybrid);
#pragma warning disable CA5350 // The protocol's own hash.
        _hash = SHA1.HashData(_info);
#pragma warning restore CA5350
    }

    public string Name { get; }

    public SwarmContent Content { get; }

    /// <summary>The bencoded info dictionary.</summary>
    public ReadOnlyMemory<byte> Info => _info;

    /// <summary>SHA-1 of <see cref="Info"/>.</summary>
    public ReadOnlyMemory<byte> Hash => _hash;

    /// <summary>The hash as 40 hexadecimal digits.</summary>
    public string HashText => Convert.ToHexStringLower(_hash);

    /// <summary>SHA-256 of <see cref="Info"/>: the hash of version 2.</summary>
    public byte[] NewerHash => SHA256.HashData(_info);

    /// <summary>Its first 20 bytes, as trackers, the DHT and handshakes have it (BEP 52).</summary>
    public ReadOnlyMemory<byte> Alias => NewerHash.AsMemory(0, 20);

    /// <summary>A .torrent file with these trackers, each in a tier of its own.</summary>
    public byte[] TorrentFile(params IReadOnlyList<string> trackers)
    {
        ArgumentNullException.ThrowIfNull(trackers);
        using var output = new MemoryStream();
        Write(output, "d");
        if (trackers.Count > 0)
        {
            Write(output, $"8:announce{Text(trackers[0])}13:announce-listl");
            foreach (var tracker in trackers)
                Write(output, $"l{Text(tracker)}e");
            Write(output, "e");
        }

        Write(output, "4:info");
        output.Write(_info);
        Write(output, "e");
        return output.ToArray();
    }

    /// <summary>A magnet link with these peers ("address:port") and trackers.</summary>
    public string Magnet(IEnumerable<string> peers, IEnumerable<string> trackers) =>
        $"magnet:?xt=urn:btih:{HashText}&dn={Uri.EscapeDataString(Name)}"
        + string.Concat(trackers.Select(static tracker => "&tr=" + Uri.EscapeDataString(tracker)))
        + string.Concat(peers.Select(static peer => "&x.pe=" + peer));

    /// <summary>Writes the files below a folder, where a client expects them for seeding.</summary>
    public async Task WriteFilesAsync(string folder, CancellationToken cancellationToken)
    {
        var buffer = new byte[1 << 20];
        long offset = 0;
        foreach (var file in Content.Files)
        {
            var path = IsSingle(Name, Content) ? Path.Combine(folder, Name) : Path.Combine(folder, Name, file.Path);
            if (!file.IsPadding)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                await using var stream = File.Create(path);
                for (long at = 0; at < file.Length; at += buffer.Length)
                {
                    var part = buffer.AsMemory(0, (int)Math.Min(buffer.Length, file.Length - at));
                    Content.Fill(offset + at, part.Span);
                    await stream.WriteAsync(part, cancellationToken);
                }
            }

            offset += file.Length;
        }
    }

    private static bool IsSingle(string name, SwarmContent content) => content.Files.Count == 1 && content.Files[0].Path == name;

    private static byte[] WriteInfo(string name, SwarmContent content, bool isPrivate, int padding, bool isHybrid)
    {
        using var output = new MemoryStream();
        Write(output, "d");
        if (isHybrid)
        {
            Write(output, "9:file treed");
            foreach (var file in content.Files.Where(static file => !file.IsPadding)
                .OrderBy(static file => file.Path, StringComparer.Ordinal))
            {
                Write(output,
                    string.Create(CultureInfo.InvariantCulture, $"{Text(file.Path)}d0:d6:lengthi{file.Length}e11:pieces root32:"));
                output.Write(SHA256.HashData(Encoding.UTF8.GetBytes(file.Path)));
                Write(output, "ee");
            }

            Write(output, "e");
        }

        if (!IsSingle(name, content))
        {
            Write(output, "5:filesl");
            foreach (var file in content.Files)
            {
                var attributes = file.IsPadding ? "4:attr1:p" : file.IsLink ? "4:attr1:l" : string.Empty;
                var target = file.IsLink ? "12:symlink pathl6:targete" : string.Empty;
                var parts = string.Concat(file.Path.Split('/').Select(Text));
                Write(output, string.Create(CultureInfo.InvariantCulture, $"d{attributes}6:lengthi{file.Length}e4:pathl{parts}e{target}e"));
            }

            Write(output, "e");
        }
        else
        {
            Write(output, string.Create(CultureInfo.InvariantCulture, $"6:lengthi{content.Length}e"));
        }

        Write(output, isHybrid ? "12:meta versioni2e" : string.Empty);
        Write(output, string.Create(
            CultureInfo.InvariantCulture, $"4:name{Text(name)}12:piece lengthi{content.PieceLength}e6:pieces{content.Hashes.Length}:"));
        output.Write(content.Hashes.Span);
        if (isPrivate)
            Write(output, "7:privatei1e");
        if (padding > 0)
            WritePadding(output, padding);
        Write(output, "e");
        return output.ToArray();
    }

    /// <summary>Bytes that differ between pieces of the metadata, so that a misplaced piece is detected.</summary>
    private static void WritePadding(MemoryStream output, int length)
    {
        Write(output, string.Create(CultureInfo.InvariantCulture, $"9:x-padding{length}:"));
        var bytes = new byte[length];
        for (var i = 0; i < length; i++)
            bytes[i] = (byte)(i ^ (i >> 8) ^ (i >> 16));
        output.Write(bytes);
    }

    private static string Text(string value) => string.Create(CultureInfo.InvariantCulture, $"{Encoding.UTF8.GetByteCount(value)}:{value}");

    private static void Write(MemoryStream output, string text) => output.Write(Encoding.UTF8.GetBytes(text));
}
