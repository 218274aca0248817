using System.Buffers;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Writes our DHT messages. Not thread-safe; a result is valid until the next write.</summary>
internal sealed class DhtWriter
{
    private readonly ArrayBufferWriter<byte> _output = new(1_500);

    private static ReadOnlySpan<byte> Version => "ND\0\u0001"u8;

    /// <summary>Writes a query.</summary>
    public ReadOnlySpan<byte> Query(scoped in DhtQuery query, NodeId own, bool readOnly)
    {
        var writer = Begin();
        writer.Text("a"u8);
        writer.BeginDictionary();
        Id(writer, "id"u8, own);
        if (query.Kind == DhtQueryKind.AnnouncePeer)
        {
            writer.Text("implied_port"u8);
            writer.Integer(0);
        }

        if (query.Kind is DhtQueryKind.GetPeers or DhtQueryKind.AnnouncePeer)
            Id(writer, "info_hash"u8, query.Target);
        if (query.Kind == DhtQueryKind.AnnouncePeer)
        {
            writer.Text("port"u8);
            writer.Integer(query.Port);
        }

        if (query.Kind == DhtQueryKind.FindNode)
            Id(writer, "target"u8, query.Target);
        if (query.Kind == DhtQueryKind.AnnouncePeer)
        {
            writer.Text("token"u8);
            writer.Text(query.Token);
        }

        if (query.Kind is DhtQueryKind.FindNode or DhtQueryKind.GetPeers && query.WantsBoth)
        {
            writer.Text("want"u8);
            writer.BeginList();
            writer.Text("n4"u8);
            writer.Text("n6"u8);
            writer.End();
        }

        writer.End();
        writer.Text("q"u8);
        writer.Text(query.Kind switch
        {
            DhtQueryKind.FindNode => "find_node"u8,
            DhtQueryKind.GetPeers => "get_peers"u8,
            DhtQueryKind.AnnouncePeer => "announce_peer"u8,
            _ => "ping"u8
        });
        if (readOnly)
        {
            writer.Text("ro"u8);
            writer.Integer(1);
        }

        return End(writer, query.Transaction, "q"u8);
    }

    /// <summary>Writes an answer.</summary>
    /// <param name="transaction">The query's transaction id, unchanged.</param>
    /// <param name="own">Our id.</param>
    /// <param name="asker">Address of the query's sender, returned as <c>ip</c> (BEP 42).</param>
    /// <param name="nodes">Null = not sent.</param>
    /// <param name="nodes6">Null = not sent.</param>
    /// <param name="token">Null = not sent.</param>
    /// <param name="values">Peers; none = not sent.</param>
    public ReadOnlySpan<byte> Answer(
        ReadOnlySpan<byte> transaction, NodeId own, DatagramAddress asker, List<DhtContact>? nodes, List<DhtContact>? nodes6, byte[]? token,
        IReadOnlyCollection<DatagramAddress> values)
    {
        var writer = Begin();
        Ip(writer, asker);
        writer.Text("r"u8);
        writer.BeginDictionary();
        Id(writer, "id"u8, own);
        Nodes(writer, "nodes"u8, nodes);
        Nodes(writer, "nodes6"u8, nodes6);
        if (token is not null)
        {
            writer.Text("token"u8);
            writer.Text(token);
        }

        if (values.Count > 0)
        {
            writer.Text("values"u8);
            writer.BeginList();
            Span<byte> compact = stackalloc byte[18];
            foreach (var value in values)
                writer.Text(compact[..value.Write(compact)]);
            writer.End();
        }

        writer.End();
        return End(writer, transaction, "r"u8);
    }

    /// <summary>Writes an error (BEP 5).</summary>
    public ReadOnlySpan<byte> Error(ReadOnlySpan<byte> transaction, int code, ReadOnlySpan<byte> message)
    {
        var writer = Begin();
        writer.Text("e"u8);
        writer.BeginList();
        writer.Integer(code);
        writer.Text(message);
        writer.End();
        return End(writer, transaction, "e"u8);
    }

    private static void Ip(BencodeWriter writer, DatagramAddress asker)
    {
        Span<byte> compact = stackalloc byte[18];
        writer.Text("ip"u8);
        writer.Text(compact[..asker.Write(compact)]);
    }

    private static void Id(BencodeWriter writer, ReadOnlySpan<byte> key, NodeId id)
    {
        Span<byte> bytes = stackalloc byte[NodeId.Size];
        id.Write(bytes);
        writer.Text(key);
        writer.Text(bytes);
    }

    private static void Nodes(BencodeWriter writer, ReadOnlySpan<byte> key, List<DhtContact>? nodes)
    {
        if (nodes is null)
            return;
        writer.Text(key);
        writer.Text(DhtContact.Write(nodes));
    }

    private BencodeWriter Begin()
    {
        _output.ResetWrittenCount();
        var writer = new BencodeWriter(_output);
        writer.BeginDictionary();
        return writer;
    }

    private ReadOnlySpan<byte> End(BencodeWriter writer, ReadOnlySpan<byte> transaction, ReadOnlySpan<byte> kind)
    {
        writer.Text("t"u8);
        writer.Text(transaction);
        writer.Text("v"u8);
        writer.Text(Version);
        writer.Text("y"u8);
        writer.Text(kind);
        writer.End();
        return _output.WrittenSpan;
    }
}
