using System.Buffers;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>
/// Stores the addresses at which peers of a torrent were reached, in a file beside its pieces. When the torrent is opened again, they are
/// dialled before a tracker has answered. Private torrents have no such file. The file is only a hint: it is not synced, and errors in
/// reading or writing are ignored. Thread-safe for different torrents.
/// </summary>
/// <param name="folder">Folder of the files; need not exist.</param>
/// <param name="time">Clock for the age of files.</param>
internal sealed class SavedPeers(string folder, TimeProvider time)
{
    /// <summary>Most peers stored of each torrent.</summary>
    public const int Most = 100;

    /// <summary>Bit of the flags byte for <see cref="SavedPeer.IsPlain"/>, beside the <see cref="PeerSources"/>.</summary>
    private const int Plain = 0x80;

    /// <summary>Bit of the flags byte for <see cref="SavedPeer.ByAlias"/>. It is free because the source "saved" is never stored.</summary>
    private const int Alias = (int)PeerSources.Saved;

    /// <summary>Bit of the misses byte for <see cref="SavedPeer.ByUtp"/>.</summary>
    private const int ByUtp = 0x80;

    private const string Extension = ".peers";

    /// <summary>Age after which few addresses still work.</summary>
    private static readonly TimeSpan Lifetime = TimeSpan.FromDays(30);

    /// <summary>Torrents with stored peers. Removes files that are too old.</summary>
    public IReadOnlyList<InfoHash> List()
    {
        var hashes = new List<InfoHash>();
        var oldest = time.GetUtcNow().UtcDateTime - Lifetime;
        try
        {
            foreach (var file in new DirectoryInfo(folder).EnumerateFiles("*" + Extension))
            {
                if (!InfoHash.TryParse(Path.GetFileNameWithoutExtension(file.Name), out var hash))
                    continue;
                if (file.LastWriteTimeUtc < oldest)
                    file.Delete();
                else
                    hashes.Add(hash);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // No folder, no peers.
        }

        return hashes;
    }

    /// <summary>The saved peers; empty if they cannot be read.</summary>
    public IReadOnlyList<SavedPeer> Load(InfoHash hash)
    {
        var peers = new List<SavedPeer>();
        try
        {
            // Six or eighteen bytes each, and a byte each of flags and misses.
            var file = new FileInfo(PathOf(hash));
            if (!file.Exists || file.Length > 64 * Most)
                return peers;
            var reader = new BencodeReader(File.ReadAllBytes(file.FullName));
            if (!reader.ReadValue(BencodeToken.Dictionary))
                return peers;
            var endpoints = new List<IPEndPoint>();
            while (reader.ReadKey())
            {
                var isFlags = reader.Text.EndsWith(".f"u8);
                var isMisses = reader.Text.EndsWith(".n"u8);
                var bytes = reader.Text.StartsWith("peers6"u8) ? 16 : 4;
                if (!reader.ReadValue(BencodeToken.Text))
                    continue;
                if (isFlags || isMisses)
                {
                    // Flags or misses of the addresses read before; older files have none.
                    for (var i = 0; i < reader.Text.Length && i < endpoints.Count; i++)
                    {
                        var at = peers.Count - endpoints.Count + i;
                        var value = reader.Text[i];
                        peers[at] = isMisses ? peers[at] with { Misses = value & ~ByUtp, ByUtp = (value & ByUtp) != 0 } : peers[at] with
                        {
                            Sources = (PeerSources)(value & ~(Plain | Alias)),
                            IsPlain = (value & Plain) != 0,
                            ByAlias = (value & Alias) != 0,
                        };
                    }

                    continue;
                }

                endpoints.Clear();
                CompactPeers.Read(reader.Text, bytes, endpoints, Most);
                peers.AddRange(endpoints.Select(static endpoint => new SavedPeer(endpoint, PeerSources.None, IsPlain: false)));
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The trackers will name peers.
        }

        return peers;
    }

    /// <summary>Stores these peers; an empty list removes the file.</summary>
    public void Save(InfoHash hash, IReadOnlyCollection<SavedPeer> peers)
    {
        try
        {
            if (peers.Count == 0)
            {
                Delete(hash);
                return;
            }

            Directory.CreateDirectory(folder);
            var output = new ArrayBufferWriter<byte>();
            var writer = new BencodeWriter(output);
            writer.BeginDictionary();
            var six = peers.ToLookup(static peer => peer.Endpoint.AddressFamily == AddressFamily.InterNetworkV6);
            writer.Text("peers"u8);
            writer.Text(CompactPeers.Write([.. six[false].Select(static peer => peer.Endpoint)], 4));
            writer.Text("peers.f"u8);
            writer.Text(Flags(six[false]));
            writer.Text("peers.n"u8);
            writer.Text(Misses(six[false]));
            writer.Text("peers6"u8);
            writer.Text(CompactPeers.Write([.. six[true].Select(static peer => peer.Endpoint)], 16));
            writer.Text("peers6.f"u8);
            writer.Text(Flags(six[true]));
            writer.Text("peers6.n"u8);
            writer.Text(Misses(six[true]));
            writer.End();
            var next = PathOf(hash) + ".new";
            File.WriteAllBytes(next, output.WrittenSpan);
            File.Move(next, PathOf(hash), overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The trackers name them again.
        }
    }

    /// <summary>Removes a torrent's file.</summary>
    public void Delete(InfoHash hash)
    {
        try
        {
            File.Delete(PathOf(hash));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It is removed once it is too old.
        }
    }

    private static byte[] Flags(IEnumerable<SavedPeer> peers) =>
        [.. peers.Select(static peer => (byte)((int)peer.Sources | (peer.IsPlain ? Plain : 0) | (peer.ByAlias ? Alias : 0)))];

    private static byte[] Misses(IEnumerable<SavedPeer> peers) =>
        [.. peers.Select(static peer => (byte)(Math.Min(peer.Misses, ByUtp - 1) | (peer.ByUtp ? ByUtp : 0)))];

    private string PathOf(InfoHash hash) => Path.Combine(folder, hash + Extension);
}

/// <summary>An address at which a peer was reached.</summary>
/// <param name="Endpoint">The address.</param>
/// <param name="Sources">How it was learned.</param>
/// <param name="IsPlain">True if it was reached without encryption, after an encrypted handshake had failed.</param>
/// <param name="Misses">How many times in a row the torrent was opened and reached other peers, but not this one.</param>
/// <param name="ByUtp">True if it was reached by uTP, because TCP failed.</param>
/// <param name="ByAlias">See <see cref="KnownPeer.ByAlias"/>.</param>
internal readonly record struct SavedPeer(
    IPEndPoint Endpoint, PeerSources Sources, bool IsPlain, int Misses = 0, bool ByUtp = false, bool ByAlias = false);
