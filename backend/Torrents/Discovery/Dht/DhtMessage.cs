using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A received DHT message (BEP 5, 32, 42, 43). Refers to the datagram's bytes.</summary>
internal ref struct DhtMessage
{
    /// <summary>Most peers read from one answer: a datagram has no room for more.</summary>
    private const int MostValues = 200;

    /// <summary><c>y</c>: the kind <c>q</c>, <c>r</c> or <c>e</c>; 0 if invalid.</summary>
    public byte Kind { get; private set; }

    /// <summary><c>q</c>: name of the query.</summary>
    public ReadOnlySpan<byte> Query { get; private set; }

    /// <summary><c>t</c>: the transaction id, returned unchanged.</summary>
    public ReadOnlySpan<byte> Transaction { get; private set; }

    /// <summary>The sender's id; null if it sent none.</summary>
    public NodeId? Id { get; private set; }

    /// <summary><c>target</c> or <c>info_hash</c>.</summary>
    public NodeId? Target { get; private set; }

    /// <summary><c>nodes</c>: IPv4 nodes of 26 bytes each.</summary>
    public ReadOnlySpan<byte> Nodes { get; private set; }

    /// <summary><c>nodes6</c>: IPv6 nodes of 38 bytes each.</summary>
    public ReadOnlySpan<byte> Nodes6 { get; private set; }

    /// <summary><c>token</c>: permits an announce.</summary>
    public ReadOnlySpan<byte> Token { get; private set; }

    /// <summary><c>values</c>: peers of a torrent.</summary>
    public List<DatagramAddress>? Values { get; private set; }

    /// <summary><c>ip</c>: our address as the sender sees it.</summary>
    public DatagramAddress OurAddress { get; private set; }

    /// <summary><c>port</c>: the announced TCP port.</summary>
    public int Port { get; private set; }

    /// <summary><c>implied_port</c>: true if the datagram's source port is announced instead.</summary>
    public bool HasImpliedPort { get; private set; }

    /// <summary><c>ro</c>: the sender answers no queries (BEP 43).</summary>
    public bool IsReadOnly { get; private set; }

    /// <summary>
    /// <c>want</c>: families of the nodes that the sender requests (BEP 32): IPv4, IPv6 or both; neither = the family of the datagram.
    /// </summary>
    public (bool Four, bool Six) Want { get; private set; }

    /// <summary>Reads a datagram. False if it is not a DHT message. Unknown parts are skipped.</summary>
    public static bool TryRead(ReadOnlySpan<byte> datagram, out DhtMessage message)
    {
        // Filled in a local variable, because an <c>out</c> parameter may not be passed to methods that keep spans.
        message = default;
        var read = default(DhtMessage);
        var reader = new BencodeReader(datagram);
        if (datagram.IsEmpty || datagram[0] != (byte)'d' || !reader.ReadValue(BencodeToken.Dictionary))
            return false;
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (key.SequenceEqual("a"u8) || key.SequenceEqual("r"u8))
                read.ReadBody(ref reader);
            else if (key.SequenceEqual("q"u8))
                read.Query = Text(ref reader);
            else if (key.SequenceEqual("t"u8))
                read.Transaction = Text(ref reader);
            else if (key.SequenceEqual("y"u8))
                read.Kind = Text(ref reader) is [var kind] ? kind : (byte)0;
            else if (key.SequenceEqual("ip"u8))
                read.OurAddress = Text(ref reader) is { Length: 6 or 18 } compact ? DatagramAddress.Read(compact) : default;
            else if (key.SequenceEqual("ro"u8))
                read.IsReadOnly = reader.ReadInteger(0) == 1;
            else
                reader.SkipValue();
        }

        message = read;
        return reader.Error is null && read.Kind is (byte)'q' or (byte)'r' or (byte)'e';
    }

    private void ReadBody(scoped ref BencodeReader reader)
    {
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return;
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (key.SequenceEqual("id"u8))
                Id = Text(ref reader) is { Length: NodeId.Size } id ? NodeId.Read(id) : null;
            else if (key.SequenceEqual("target"u8) || key.SequenceEqual("info_hash"u8))
                Target = Text(ref reader) is { Length: NodeId.Size } target ? NodeId.Read(target) : null;
            else if (key.SequenceEqual("nodes"u8))
                Nodes = Text(ref reader);
            else if (key.SequenceEqual("nodes6"u8))
                Nodes6 = Text(ref reader);
            else if (key.SequenceEqual("token"u8))
                Token = Text(ref reader);
            else if (key.SequenceEqual("port"u8))
                Port = reader.ReadInteger(0) is > 0 and <= ushort.MaxValue and var port ? (int)port : 0;
            else if (key.SequenceEqual("implied_port"u8))
                HasImpliedPort = reader.ReadInteger(0) == 1;
            else if (key.SequenceEqual("values"u8))
                ReadValues(ref reader);
            else if (key.SequenceEqual("want"u8))
                ReadWant(ref reader);
            else
                reader.SkipValue();
        }
    }

    private void ReadValues(scoped ref BencodeReader reader)
    {
        if (!reader.ReadValue(BencodeToken.List))
            return;
        Values ??= [];
        while (reader.ReadElement())
        {
            if (reader.Token == BencodeToken.Text && reader.Text.Length is 6 or 18 && Values.Count < MostValues)
                Values.Add(DatagramAddress.Read(reader.Text));
            else
                reader.SkipRest();
        }
    }

    private void ReadWant(scoped ref BencodeReader reader)
    {
        if (!reader.ReadValue(BencodeToken.List))
            return;
        while (reader.ReadElement())
        {
            if (reader.Token == BencodeToken.Text)
                Want = (Want.Four || reader.Text.SequenceEqual("n4"u8), Want.Six || reader.Text.SequenceEqual("n6"u8));
            else
                reader.SkipRest();
        }
    }

    private static ReadOnlySpan<byte> Text(scoped ref BencodeReader reader) => reader.ReadValue(BencodeToken.Text) ? reader.Text : default;
}
