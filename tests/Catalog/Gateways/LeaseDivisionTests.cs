#if !POSTGRES
using NzbDav.Catalog.Gateways;

namespace NzbDav.Catalog.Tests.Gateways;

/// <summary>How an account's connections are divided among gateways.</summary>
public sealed class LeaseDivisionTests
{
    [Fact]
    public void A_lone_gateway_gets_everything() => Assert.Equal(new GrantedLease("a", 8, 8), Of(most: 8));

    [Fact]
    public void A_gateway_that_wants_what_others_have_gets_nothing_yet_and_is_to_have_its_part() =>
        Assert.Equal(new GrantedLease("a", 0, 4), Of(most: 8, wanted: 8, others: [new("other", 8, 8, IsLive: true)]));

    [Fact]
    public void A_gateway_keeps_what_it_has_until_it_has_closed_it()
    {
        GatewayLease[] others = [new("other", 0, 8, IsLive: true)];
        Assert.Equal(new GrantedLease("a", 8, 4), Of(most: 8, own: 8, kept: 8, wanted: 8, others: others));
        Assert.Equal(new GrantedLease("a", 5, 4), Of(most: 8, own: 8, kept: 5, wanted: 8, others: others));
        Assert.Equal(new GrantedLease("a", 4, 4), Of(most: 8, own: 8, kept: 4, wanted: 8, others: others));
    }

    [Theory]
    [InlineData(1, 7)]
    [InlineData(3, 5)]
    [InlineData(4, 4)]
    [InlineData(9, 4)]
    public void A_gateway_gets_what_the_other_does_not_want_and_at_least_half(int other, int goal) =>
        Assert.Equal(goal, Of(most: 8, wanted: 20, others: [new("other", 4, other, IsLive: true)]).Target);

    [Fact]
    public void A_gateway_that_wants_nothing_has_one_connection_for_its_next_read_where_there_are_many()
    {
        GatewayLease[] others = [new("other", 8, 8, IsLive: true)];
        Assert.Equal(1, Of(most: 8, others: others).Target);
        Assert.Equal(0, Of(most: 7, others: others).Target);
        Assert.Equal(7, Of(most: 8, wanted: 8, others: [new("other", 1, 0, IsLive: true)]).Target);
    }

    [Fact]
    public void What_nobody_needs_stays_for_a_minute_and_is_then_divided()
    {
        GatewayLease[] others = [new("other", 1, 0, IsLive: true)];
        Assert.Equal(7, Of(most: 8, own: 7, kept: 7, recent: 7, others: others).Target);
        Assert.Equal(4, Of(most: 8, own: 7, kept: 7, others: others).Target);
        Assert.Equal(new GrantedLease("a", 4, 4), Of(most: 8, others: [new("other", 4, 0, IsLive: true)]));
    }

    [Fact]
    public void An_odd_connection_stays_where_it_is()
    {
        GatewayLease[] others = [new("b", 3, 9, IsLive: true), new("c", 3, 9, IsLive: true)];
        Assert.Equal(2, Of(most: 8, own: 2, kept: 2, wanted: 9, others: others).Target);
        Assert.Equal(3,
            Of(most: 8, own: 3, kept: 3, wanted: 9, others: [new("b", 3, 9, IsLive: true), new("c", 2, 9, IsLive: true)]).Target);
    }

    [Fact]
    public void With_more_gateways_than_connections_those_that_want_get_one_each()
    {
        GatewayLease[] others = [new("b", 2, 5, IsLive: true), new("c", 0, 0, IsLive: true), new("d", 0, 0, IsLive: true)];
        Assert.Equal(1, Of(most: 2, wanted: 1, others: others).Target);
        Assert.Equal(0, Of(most: 2, others: others).Target);
        Assert.Equal(0, Of(most: 2, wanted: 1, others: [new("b", 1, 5, IsLive: true), new("c", 1, 5, IsLive: true)]).Target);
    }

    [Fact]
    public void A_gateway_whose_lease_is_over_wants_nothing_and_blocks_what_it_had() =>
        Assert.Equal(new GrantedLease("a", 5, 5), Of(most: 8, wanted: 8, others: [new("dead", 3, 8, IsLive: false)]));

    [Fact]
    public void An_account_that_allows_fewer_than_before_is_given_back_step_by_step()
    {
        GatewayLease[] others = [new("other", 10, 10, IsLive: true)];
        Assert.Equal(new GrantedLease("a", 10, 4), Of(most: 8, own: 10, kept: 10, wanted: 10, others: others));
        Assert.Equal(new GrantedLease("a", 0, 4), Of(most: 8, own: 0, kept: 10, wanted: 10, others: others));
    }

    [Fact]
    public void The_shares_never_add_up_to_more_than_the_account_allows_and_everybody_gets_an_equal_part()
    {
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var world = new ShareWorld(most: random.Next(1, 40), gateways: random.Next(1, 7), random);
            for (var step = 0; step < 200; step++)
                world.Step();
            world.Settle();
        }
    }

    private static GrantedLease Of(int most, int own = 0, int kept = 0, int wanted = 0, int recent = 0, GatewayLease[]? others = null) =>
        LeaseDivision.Of("a", new LeaseRequest("a", most, kept, wanted, recent), own, others ?? []);
}
#endif
