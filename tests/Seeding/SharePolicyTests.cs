using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding.Tests;

/// <summary>When a torrent has been seeded enough.</summary>
public sealed class SharePolicyTests
{
    [Theory]
    [InlineData(null, null, false, 100.0, 1_000, false)]
    [InlineData(2.0, null, false, 1.9, 1_000, false)]
    [InlineData(2.0, null, false, 1.9996, 0, true)]
    [InlineData(null, 60, false, 0.0, 59, false)]
    [InlineData(null, 60, false, 0.0, 60, true)]
    [InlineData(2.0, 60, false, 0.1, 60, true)]
    [InlineData(2.0, 60, true, 0.1, 60, false)]
    [InlineData(2.0, 60, true, 2.0, 59, false)]
    [InlineData(2.0, 60, true, 2.0, 60, true)]
    [InlineData(2.0, null, true, 2.0, 0, true)]
    public void Ratio_and_time_limits_end_seeding_as_the_policy_says(
        double? ratio, int? minutes, bool both, double reached, int seeded, bool isReached)
    {
        var policy = new SharePolicy
        { Ratio = ratio, SeedTime = minutes is { } time ? TimeSpan.FromMinutes(time) : null, NeedsBoth = both };
        Assert.Equal(isReached, policy.IsReached(reached, new TorrentTotals(0, 0, default, TimeSpan.FromMinutes(seeded), default)));
    }

    [Theory]
    [InlineData(null, null, false, 100.0, 1_000, null)]
    [InlineData(2.0, null, false, 0.5, 1_000, 0.25)]
    [InlineData(2.0, null, false, 3.0, 0, 1.0)]
    [InlineData(null, 60, false, 9.0, 15, 0.25)]
    [InlineData(2.0, 60, false, 0.5, 30, 0.5)]
    [InlineData(2.0, 60, true, 0.5, 30, 0.25)]
    [InlineData(0.0, null, false, 0.0, 0, 1.0)]
    public void Progress_follows_the_limits_that_apply(double? ratio, int? minutes, bool both, double reached, int seeded, double? share)
    {
        var policy = new SharePolicy
        { Ratio = ratio, SeedTime = minutes is { } time ? TimeSpan.FromMinutes(time) : null, NeedsBoth = both };
        Assert.Equal(share, policy.ProgressOf(reached, new TorrentTotals(0, 0, default, TimeSpan.FromMinutes(seeded), default)));
    }

    [Fact]
    public void Seeding_ends_after_the_idle_time_without_uploads()
    {
        var policy = new SharePolicy { Ratio = 5, SeedTime = TimeSpan.FromDays(9), NeedsBoth = true, IdleTime = TimeSpan.FromMinutes(30) };
        Assert.False(policy.IsReached(0, new TorrentTotals(0, 0, default, default, TimeSpan.FromMinutes(29))));
        Assert.True(policy.IsReached(0, new TorrentTotals(0, 0, default, default, TimeSpan.FromMinutes(30))));
    }

    [Fact]
    public void A_categorys_policy_overrides_the_default()
    {
        var read = CategoryPolicy.Parse("TV = keep ratio:2.5 minutes:60 idle:0 Both removeData")!.Value;
        Assert.Equal("TV", read.Category);
        var options = new SeedingOptions
        {
            KeepCategories = ["films"],
            Categories = new Dictionary<string, CategoryPolicy>(StringComparer.OrdinalIgnoreCase)
            { ["TV"] = read.Policy, ["films"] = CategoryPolicy.Parse("films=stream forever")!.Value.Policy },
            Limits = new SharePolicy { Ratio = 1, IdleTime = TimeSpan.FromHours(1), AtLimit = LimitAction.Stop },
        };
        var ofTv = new SharePolicy
        {
            Cause = KeepCause.Category,
            Ratio = 2.5,
            SeedTime = TimeSpan.FromHours(1),
            NeedsBoth = true,
            AtLimit = LimitAction.RemoveData,
        };
        Assert.Equal(ofTv, options.PolicyOf("tv"));
        Assert.Equal(new SharePolicy { AtLimit = LimitAction.Stop }, options.PolicyOf("Films"));
        Assert.Equal(options.Limits, options.PolicyOf("other"));
        var entry = new TorrentEntry { Hash = "", Category = "tv", Added = default, Policy = new TorrentPolicy { Ratio = 0.5 } };
        Assert.Equal(0.5, options.PolicyOf(entry, isPrivate: false).Ratio);
    }

    /// <summary>What the category, the torrent itself and its limits say, whether it is private; why it is kept.</summary>
    [Theory]
    [InlineData(null, null, null, null, false, KeepCause.None)]
    [InlineData(null, null, 2.0, null, false, KeepCause.Limits)]
    [InlineData(null, null, null, 60, false, KeepCause.Limits)]
    [InlineData(null, null, -1.0, null, false, KeepCause.Limits)]
    [InlineData(null, null, 0.0, null, false, KeepCause.None)]
    [InlineData(null, null, null, null, true, KeepCause.Private)]
    [InlineData(null, null, 2.0, null, true, KeepCause.Limits)]
    [InlineData("tv=keep", null, 2.0, null, true, KeepCause.Category)]
    [InlineData("tv=ratio:3", null, null, null, false, KeepCause.None)]
    [InlineData("tv=ratio:3", null, null, null, true, KeepCause.Private)]
    [InlineData("tv=stream", null, 2.0, 60, true, KeepCause.None)]
    [InlineData("tv=stream", true, null, null, false, KeepCause.Torrent)]
    [InlineData(null, false, 2.0, null, true, KeepCause.None)]
    public void What_has_limits_or_is_private_is_kept_unless_its_category_or_the_user_decided(
        string? category, bool? own, double? ratio, int? minutes, bool isPrivate, KeepCause cause)
    {
        var categories = new Dictionary<string, CategoryPolicy>(StringComparer.OrdinalIgnoreCase);
        if (category is not null)
            categories.Add("tv", CategoryPolicy.Parse(category)!.Value.Policy);
        var options = new SeedingOptions { Categories = categories };
        var asked = new TorrentPolicy { Keep = own, Ratio = ratio, SeedMinutes = minutes };
        var entry = new TorrentEntry { Hash = "", Category = "TV", Added = default, Policy = asked };
        Assert.Equal(cause, options.PolicyOf(entry, isPrivate).Cause);
        if (isPrivate && cause == KeepCause.Private)
            Assert.False((options with { KeepPrivate = false }).PolicyOf(entry, isPrivate).Keep);
    }

    [Theory]
    [InlineData("keep")]
    [InlineData("=keep")]
    [InlineData("tv=ratio:x")]
    [InlineData("tv=ratio:-1")]
    [InlineData("tv=minutes:1.5")]
    [InlineData("tv=idle:99999999")]
    [InlineData("tv=sometimes")]
    public void An_unreadable_policy_is_ignored(string text) => Assert.Null(CategoryPolicy.Parse(text));

    [Fact]
    public void A_torrents_own_policy_overrides_its_categorys()
    {
        var options = new SeedingOptions
        {
            KeepCategories = ["TV"],
            Limits = new SharePolicy { Ratio = 1, SeedTime = TimeSpan.FromHours(1), AtLimit = LimitAction.Remove }
        };
        var entry = new TorrentEntry { Hash = "", Category = "tv", Added = default };
        Assert.Equal(options.Limits with { Cause = KeepCause.Category }, options.PolicyOf(entry, isPrivate: false));
        Assert.False(options.PolicyOf(entry with { Category = "films" }, isPrivate: false).Keep);
        var chosen = new TorrentPolicy { Keep = false, Ratio = TorrentPolicy.Unlimited, SeedMinutes = 5, IdleMinutes = 7 };
        chosen = chosen with { AtLimit = LimitAction.Stop };
        var own = options.PolicyOf(entry with { Policy = chosen }, isPrivate: true);
        Assert.Equal(new SharePolicy
        {
            Ratio = null,
            SeedTime = TimeSpan.FromMinutes(5),
            IdleTime = TimeSpan.FromMinutes(7),
            AtLimit = LimitAction.Stop
        }, own);
        Assert.True(new SeedingOptions { KeepCategories = ["*"] }.PolicyOf("any").Keep);
    }
}
