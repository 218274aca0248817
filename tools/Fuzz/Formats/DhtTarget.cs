using System.Globalization;
using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Discovery.Dht;

namespace NzbDav.Fuzz.Formats;

/// <summary>Datagrams of the distributed hash table (BEP 5, 32, 43), and the contacts in them.</summary>
internal sealed class DhtTarget() : FuzzTarget("dht", "Datagrams of the DHT")
{
    private const int MostNodes = 16;

    public override int Longest { get; init; } = 2 << 10;

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } =
        [.. BencodeTarget.Usual, .. "1:a|1:r|1:q|1:y|1:t2:aa|2:id20:|6:target20:|9:info_hash20:|5:nodes|6:nodes6|5:token|6:values|4:wantl|2:n4|2:n6|4:port|12:implied_port|2:ip6:|2:roi1e|4:ping|9:find_node|9:get_peers|13:announce_peer|1:e".Split('|').Select(Text)];

    public override void Mend(byte[] input, Random random) => BencodeTarget.MendLengths(input, random);

    public override object? Run(byte[] input, Cuts cuts)
    {
        var said = new StringBuilder();
        if (DhtMessage.TryRead(input, out var message))
        {
            said.Append(
                CultureInfo.InvariantCulture,
                $"{message.Kind} {message.Query.Length} {message.Transaction.Length} {message.Id} {message.Target} " +
                $"{message.Token.Length} {message.Port} {message.HasImpliedPort} {message.IsReadOnly} {message.Want} " +
                $"{message.OurAddress} ");
            said.AppendJoin(' ', message.Values ?? []);
            BrokenPromiseException.ThrowUnless(message.Port is >= 0 and <= ushort.MaxValue, "A port is in range.");
            var four = DhtContact.Read(message.Nodes, 4, MostNodes);
            var six = DhtContact.Read(message.Nodes6, 16, MostNodes);
            BrokenPromiseException.ThrowUnless(
                four.Count <= MostNodes && six.Count <= MostNodes, "No more nodes are returned than requested.");
            said.AppendJoin(' ', four).AppendJoin(' ', six);
        }

        var state = DhtState.Read(input);
        BrokenPromiseException.ThrowUnless(state is null || (state.Nodes.Count <= DhtState.MostNodes
            && state.Nodes6.Count <= DhtState.MostNodes), "No more nodes are kept than allowed.");
        return said.Append(state?.Nodes.Count).ToString();
    }
}
