using System.Net;
using Microsoft.Extensions.Time.Testing;
using NzbDav.Content.Secrets;

namespace NzbDav.Content.Tests.Secrets;

/// <summary>What secrets and addresses did lately.</summary>
public class AttemptMemoryTests
{
    private static readonly IPAddress Address = IPAddress.Parse("192.0.2.1");

    private readonly FakeTimeProvider _clock = new();
    private readonly AttemptMemory _memory;

    public AttemptMemoryTests() => _memory = new(_clock, max: 3, TimeSpan.FromMinutes(5));

    [Fact]
    public void An_attempt_counts_from_its_beginning()
    {
        Assert.True(_memory.TryBegin(Address) && _memory.TryBegin(Address) && _memory.TryBegin(Address));
        Assert.True(_memory.TryBegin(Address), "the first attempt of the trickle is allowed at once");
        Assert.False(_memory.TryBegin(Address));
        Assert.True(_memory.TryBegin(IPAddress.Parse("192.0.2.2")));
        _clock.Advance(AttemptMemory.Trickle);
        Assert.True(_memory.TryBegin(Address));
        Assert.False(_memory.TryBegin(Address));
        _clock.Advance(TimeSpan.FromMinutes(5));
        Assert.True(_memory.TryBegin(Address) && _memory.TryBegin(Address));
    }

    [Fact]
    public void Right_passwords_do_not_count()
    {
        for (var i = 0; i < 100; i++)
        {
            Assert.True(_memory.TryBegin(Address));
            _memory.WithdrawAttempt(Address);
        }
    }

    [Fact]
    public void An_IPv6_prefix_or_mapped_IPv4_address_shares_one_record()
    {
        for (var i = 0; i < 4; i++)
            Assert.True(_memory.TryBegin(IPAddress.Parse($"2001:db8:1:2::{i}")));
        Assert.False(_memory.TryBegin(IPAddress.Parse("2001:db8:1:2:ffff::9")));
        Assert.True(_memory.TryBegin(IPAddress.Parse("2001:db8:1:3::1")));
        for (var i = 0; i < 4; i++)
            Assert.True(_memory.TryBegin(i % 2 == 0 ? Address : Address.MapToIPv6()));
        Assert.False(_memory.TryBegin(Address));
        Assert.True(_memory.TryBegin(address: null));
    }

    [Fact]
    public void The_number_of_remembered_addresses_is_bounded()
    {
        for (var i = 0; i < 50_000; i++)
        {
            Assert.True(_memory.TryBegin(new IPAddress(i)));
            Assert.InRange(_memory.Count, 1, AttemptMemory.MaxAddresses);
        }
    }

    /// <summary>A customer's /48 has 65,536 networks of 64 bits: each would be another guesser.</summary>
    [Fact]
    public void The_networks_of_an_IPv6_site_share_a_wider_limit()
    {
        var begun = 0;
        for (var i = 0; i < 1_000; i++)
            begun += _memory.TryBegin(IPAddress.Parse($"2001:db8:1:{i:x}::1")) ? 1 : 0;
        Assert.Equal((3 * 4) + 1, begun);
        Assert.True(_memory.TryBegin(IPAddress.Parse("2001:db8:2::1")));
    }

    [Fact]
    public void A_crowd_of_addresses_does_not_make_a_guesser_forgotten()
    {
        for (var i = 0; i < AttemptMemory.MaxAddresses - 1; i++)
            _memory.TryBegin(new IPAddress(i + 1L));
        _clock.Advance(TimeSpan.FromSeconds(30));
        for (var i = 0; i < 4; i++)
            _memory.TryBegin(Address);
        for (var i = 0; i < 500; i++)
            _memory.TryBegin(new IPAddress(100_000L + i));
        Assert.False(_memory.TryBegin(Address));
    }

    [Fact]
    public void Refused_attempts_are_reported_once_a_minute_with_their_number()
    {
        for (var i = 0; i < 14; i++)
            _memory.TryBegin(Address);
        Assert.Equal(10, _memory.DrainRefusedCount());
        Assert.False(_memory.TryBegin(Address));
        Assert.Equal(0, _memory.DrainRefusedCount());
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(1, _memory.DrainRefusedCount());
        Assert.Equal(0, _memory.DrainRefusedCount());
    }

    [Fact]
    public async Task A_right_secret_is_never_slowed_down_and_a_wrong_one_counts_once()
    {
        for (var i = 0; i < 3; i++)
            Assert.Equal(SecretVerdict.Right, await TryAsync("right", isRight: true, right: TimeSpan.Zero));
        for (var i = 0; i < 50; i++)
            Assert.Equal(SecretVerdict.Wrong, await TryAsync("same", isRight: false));
        for (var i = 0; i < 3; i++)
            Assert.Equal(SecretVerdict.Wrong, await TryAsync($"guess {i}", isRight: false));
        Assert.Equal(SecretVerdict.Throttled, await TryAsync("other", isRight: true));
        Assert.Equal(SecretVerdict.Right, await TryAsync("right", isRight: true));

        // A secret that was right before and no longer is.
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(SecretVerdict.Wrong, await TryAsync("right", isRight: false));
    }

    [Fact]
    public async Task A_verdict_counts_for_its_lifetime_in_its_scope_until_secrets_change()
    {
        Assert.Equal(SecretVerdict.Right, await TryAsync("secret", isRight: true));
        Assert.Equal(SecretVerdict.Right, _memory.Recall(SecretScope.Interface, "for me", "secret"));
        Assert.Null(_memory.Recall(SecretScope.WebDav, "for me", "secret"));
        Assert.Null(_memory.Recall(SecretScope.Interface, "for m", "e secret"));
        _memory.Forget(SecretScope.WebDav);
        Assert.NotNull(_memory.Recall(SecretScope.Interface, "for me", "secret"));
        _memory.Forget(SecretScope.Interface);
        Assert.Null(_memory.Recall(SecretScope.Interface, "for me", "secret"));
        Assert.Equal(SecretVerdict.Wrong, await TryAsync("secret", isRight: false));
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(_memory.Recall(SecretScope.Interface, "for me", "secret"));
    }

    [Fact]
    public async Task One_check_serves_all_who_ask_at_once_unless_secrets_change_meanwhile()
    {
        var (checks, end) = (0, new TaskCompletionSource<bool>());
        Task<SecretVerdict> Ask() => _memory.TryAsync(SecretScope.WebDav, Address, "p", "s", Lifetimes(TimeSpan.FromMinutes(1)), async () =>
        {
            checks++;
            return await end.Task;
        }).AsTask();
        var asked = Enumerable.Range(0, 5).Select(_ => Ask()).ToArray();
        _memory.Forget(SecretScope.WebDav);
        var later = Ask();
        end.SetResult(true);
        Assert.All(await Task.WhenAll([.. asked, later]), verdict => Assert.Equal(SecretVerdict.Right, verdict));
        Assert.Equal(2, checks);
    }

    [Fact]
    public async Task A_check_without_a_result_does_not_count()
    {
        for (var i = 0; i < 20; i++)
        {
            await Assert.ThrowsAsync<InvalidOperationException>(() => _memory.TryAsync(
                SecretScope.WebDav, Address, "p", $"s {i}", Lifetimes(TimeSpan.FromMinutes(1)), static () =>
                    throw new InvalidOperationException()).AsTask());
        }
    }

    [Fact]
    public void A_ban_takes_different_wrong_logins_and_ends_with_a_right_one_or_the_time()
    {
        for (var i = 0; i < 10; i++)
            _memory.CountWrong(Address, "p", "same", TimeSpan.FromHours(1));
        Assert.False(_memory.IsBanned(Address, most: 2));
        _memory.CountWrong(Address, "p", "another", TimeSpan.FromHours(1));
        Assert.True(_memory.IsBanned(Address.MapToIPv6(), most: 2));
        Assert.False(_memory.IsBanned(IPAddress.Parse("192.0.2.2"), most: 2));

        // It outlasts the window of failures, and counts from the latest one.
        _clock.Advance(TimeSpan.FromMinutes(59));
        Assert.True(_memory.IsBanned(Address, most: 2) && _memory.TryBegin(Address));
        Assert.True(_memory.IsBanned(Address, most: 2));
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.False(_memory.IsBanned(Address, most: 2));
        _memory.CountWrong(Address, "p", "third", TimeSpan.FromHours(1));
        Assert.False(_memory.IsBanned(Address, most: 2));
        _memory.CountWrong(Address, "p", "fourth", TimeSpan.FromHours(1));
        Assert.True(_memory.IsBanned(Address, most: 2));
        _memory.ForgetWrong(Address);
        Assert.False(_memory.IsBanned(Address, most: 1));
    }

    private static VerdictLifetimes Lifetimes(TimeSpan right) => new(right, TimeSpan.FromMinutes(1));

    private ValueTask<SecretVerdict> TryAsync(string secret, bool isRight, TimeSpan? right = null) =>
        _memory.TryAsync(SecretScope.Interface, Address, "for me", secret, Lifetimes(right ?? TimeSpan.FromMinutes(1)),
            () => ValueTask.FromResult(isRight));
}
