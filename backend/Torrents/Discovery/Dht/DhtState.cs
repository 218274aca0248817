using System.Buffers;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>State of the DHT, saved between runs. Only a hint: errors in reading or writing are ignored.</summary>
/// <param name="Id">Our id in IPv4; null = none yet.</param>
/// <param name="Id6">Our id in IPv6; null = none yet.</param>
/// <param name="Nodes">IPv4 nodes.</param>
/// <param name="Nodes6">IPv6 nodes.</param>
internal sealed record DhtState(NodeId? Id, NodeId? Id6, List<DhtContact> Nodes, List<DhtContact> Nodes6)
{
    /// <summary>Most nodes saved of each family.</summary>
    public const int MostNodes = 200;

    private const int MostBytes = 64 << 10;

    /// <summary>Reads a file. Empty if there is none, or it is invalid.</summary>
    public static DhtState Load(string? path)
    {
        var empty = new DhtState(Id: null, Id6: null, [], []);
        try
        {
            if (path is null || new FileInfo(path) is not { Exists: true, Length: <= MostBytes })
                return empty;
            return Read(File.ReadAllBytes(path)) ?? empty;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return empty;
        }
    }

    /// <summary>Reads the result of <see cref="Write"/>; null if it is invalid.</summary>
    public static DhtState? Read(ReadOnlySpan<byte> bytes)
    {
        var state = new DhtState(Id: null, Id6: null, [], []);
        var reader = new BencodeReader(bytes);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return null;
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (!reader.ReadValue(BencodeToken.Text))
                continue;
            NodeId? id = reader.Text.Length == NodeId.Size ? NodeId.Read(reader.Text) : null;
            state = key.SequenceEqual("id"u8) ? state with { Id = id }
                : key.SequenceEqual("id6"u8) ? state with { Id6 = id }
                : key.SequenceEqual("nodes"u8) ? state with { Nodes = DhtContact.Read(reader.Text, 4, MostNodes) }
                : key.SequenceEqual("nodes6"u8) ? state with { Nodes6 = DhtContact.Read(reader.Text, 16, MostNodes) }
                : state;
        }

        return reader.Error is null ? state : null;
    }

    /// <summary>Replaces the file.</summary>
    public void Save(string path)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path + ".new", Write());
            File.Move(path + ".new", path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The routers will name other nodes.
        }
    }

    /// <summary>Returns the bencoded state.</summary>
    public byte[] Write()
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new BencodeWriter(output);
        writer.BeginDictionary();
        WriteId(writer, "id"u8, Id);
        WriteId(writer, "id6"u8, Id6);
        writer.Text("nodes"u8);
        writer.Text(DhtContact.Write(Nodes));
        writer.Text("nodes6"u8);
        writer.Text(DhtContact.Write(Nodes6));
        writer.End();
        return output.WrittenSpan.ToArray();
    }

    private static void WriteId(BencodeWriter writer, ReadOnlySpan<byte> key, NodeId? id)
    {
        if (id is not { } known)
            return;
        Span<byte> bytes = stackalloc byte[NodeId.Size];
        known.Write(bytes);
        writer.Text(key);
        writer.Text(bytes);
    }
}
