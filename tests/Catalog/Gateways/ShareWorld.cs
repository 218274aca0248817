using NzbDav.Catalog.Gateways;

namespace NzbDav.Catalog.Tests.Gateways;

/// <summary>
/// Gateways, their connections and the table of shares, without a database. Every step checks what must hold at every moment.
/// </summary>
internal sealed class ShareWorld
{
    private readonly int _most;
    private readonly Random _random;
    private readonly List<Member> _members = [];
    private int _names;

    public ShareWorld(int most, int gateways, Random random)
    {
        (_most, _random) = (most, random);
        for (var i = 0; i < gateways; i++)
            _members.Add(new Member($"g{_names++}"));
    }

    /// <summary>One thing happens to one gateway.</summary>
    public void Step()
    {
        var member = _members[_random.Next(_members.Count)];
        switch (_random.Next(9))
        {
            case 0:
                member.Wanted = _random.Next(2) * _random.Next(60);
                member.Recent = _random.Next(member.Held + 1);
                break;
            case 1 or 2:
                Renew(member, isAnswered: true);
                break;
            case 3:
                // It is not known whether it was renewed.
                Renew(member, isAnswered: false);
                break;
            case 4 or 5 when member.Held < member.Allowed:
                member.Held++;
                break;
            case 6 or 7 when member.Held > member.Goal:
                member.Held--;
                break;
            case 8 when _random.Next(10) == 0:
                Die(member);
                break;
            default:
                break;
        }

        Check();
    }

    /// <summary>Nothing new happens: after some renewals everybody has what it wants, or at least an equal part.</summary>
    public void Settle()
    {
        _members.RemoveAll(static member => !member.IsAlive);
        for (var round = 0; round < 6; round++)
        {
            foreach (var member in _members)
            {
                Renew(member, isAnswered: true);
                member.Held = Math.Min(member.Held, member.Goal);
                Renew(member, isAnswered: true);
                member.Held = Math.Max(member.Held, Math.Min(member.Allowed, member.Wanted));
                Check();
            }
        }

        Assert.All(_members, member => Assert.True(member.Held >= Math.Min(member.Wanted, _most / _members.Count),
            $"{member.Name} wants {member.Wanted} of {_most} and has {member.Held}"));
        if (_members.Exists(static member => member.Held < member.Wanted))
        {
            // The rest is in use, but for the connection that each idle one may have.
            Assert.True(_members.Sum(static member => member.Held) >= _most - _members.Count(static member => member.Wanted == 0));
        }
    }

    /// <summary>A gateway is killed. Its row blocks its share until it is forgotten; another starts in its place.</summary>
    private void Die(Member member)
    {
        if (member.IsAlive)
        {
            (member.IsAlive, member.Held) = (false, 0);
            _members.Add(new Member($"g{_names++}"));
        }
        else
        {
            _members.Remove(member);
        }
    }

    private void Renew(Member member, bool isAnswered)
    {
        if (!member.IsAlive)
            return;
        var kept = Math.Max(member.Held, member.Allowed);
        member.Share = Math.Min(member.Share, kept);
        var others = _members.Where(other => other != member)
            .Select(static other => new GatewayLease(other.Name, other.Row, other.RowWanted, other.IsAlive)).ToArray();
        var grant = LeaseDivision.Of(
            member.Name, new LeaseRequest("account", _most, kept, member.Wanted, member.Recent), member.Row, others);
        (member.Row, member.RowWanted) = (grant.Granted, member.Wanted);
        if (isAnswered)
            (member.Share, member.Goal) = (grant.Granted, grant.Target);
    }

    private void Check()
    {
        Assert.True(_members.Sum(static member => member.Row) <= _most, "the rows add up to more than the account allows");
        Assert.All(_members,
            static member => Assert.True(member.Held <= member.Row, $"{member.Name} has {member.Held} and a row for {member.Row}"));
        Assert.All(_members, static member => Assert.True(member.Goal >= 0));
    }

    private sealed class Member(string name)
    {
        public string Name => name;

        public bool IsAlive { get; set; } = true;

        public int Wanted { get; set; }

        public int Recent { get; set; }

        /// <summary>Connections that are open.</summary>
        public int Held { get; set; }

        /// <summary>What it believes to have.</summary>
        public int Share { get; set; }

        public int Goal { get; set; }

        /// <summary>What the table says.</summary>
        public int Row { get; set; }

        public int RowWanted { get; set; }

        public int Allowed => Math.Min(Share, Goal);
    }
}
