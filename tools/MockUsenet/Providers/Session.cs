using System.Text;
using NzbDav.MockUsenet.Protocol;

namespace NzbDav.MockUsenet.Providers;

/// <summary>The state of one connection's dialogue; answers its commands. Used only by the connection's reader.</summary>
internal sealed class Session(ProviderBehaviour provider, bool overCap)
{
    private string? _user;
    private bool _loggedIn = !provider.NeedsLogin;
    private bool _inGroup;

    /// <summary>True once the dialogue has ended: later commands are not answered.</summary>
    public bool Ended { get; private set; }

    public Reply Greet()
    {
        // RFC 3977, 5.1.1: "502 Service permanently unavailable", after which the server must close the connection.
        if (overCap && provider.CapRefusal == CapRefusal.AtGreeting)
            return End(Replies.TooManyConnections);
        return Replies.Greeting;
    }

    public Reply Answer(ReadOnlySpan<byte> line)
    {
        if (line.Length > CommandParser.MaxLine - 2)
            return Replies.Syntax;
        var verb = CommandParser.Parse(line, out var argument);
        provider.Counters.Command(verb);
        return verb switch
        {
            NntpVerb.Unknown => Replies.Unknown,
            NntpVerb.Quit => End(Replies.Bye),
            NntpVerb.Capabilities => _loggedIn ? Replies.Capabilities : Replies.CapabilitiesBeforeLogin,
            NntpVerb.ModeReader => Replies.ModeReader,
            NntpVerb.Help => Replies.Help,
            NntpVerb.AuthInfoUser => User(argument),
            NntpVerb.AuthInfoPass => Password(argument),
            // RFC 4643, 2.2: "480 Authentication required".
            _ when !_loggedIn => Replies.NeedLogin,
            NntpVerb.Date => Encoding.ASCII.GetBytes($"111 {provider.Time.GetUtcNow():yyyyMMddHHmmss}\r\n"),
            NntpVerb.Group => Group(argument),
            _ => Find(verb, argument),
        };
    }

    private Reply User(ReadOnlySpan<byte> argument)
    {
        if (argument.IsEmpty)
            return Replies.Syntax;
        if (_loggedIn && provider.NeedsLogin)
            return Replies.AlreadyIn;
        _user = Encoding.UTF8.GetString(argument);
        return Replies.NeedPassword;
    }

    private Reply Password(ReadOnlySpan<byte> argument)
    {
        if (argument.IsEmpty)
            return Replies.Syntax;
        if (_loggedIn && provider.NeedsLogin)
            return Replies.AlreadyIn;
        if (_user is null)
            return Replies.UserFirst;
        var accepted = provider.Login(_user, Encoding.UTF8.GetString(argument));
        _user = null;
        if (!accepted)
            return Replies.LoginRefused;
        if (overCap)
            return End(Replies.TooManyConnections);
        _loggedIn = true;
        return Replies.Welcome;
    }

    private Reply Group(ReadOnlySpan<byte> argument)
    {
        if (argument.IsEmpty)
            return Replies.Syntax;
        if (!provider.Store.HasGroup(argument, out var count))
            return Replies.NoSuchGroup;
        _inGroup = true;
        return Encoding.UTF8.GetBytes($"211 {count} 1 {count} {Encoding.UTF8.GetString(argument)}\r\n");
    }

    private Reply Find(NntpVerb verb, ReadOnlySpan<byte> argument)
    {
        // Articles have no numbers here: nobody fetches binaries by number.
        if (argument.IsEmpty || argument.IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0)
            return _inGroup ? Replies.NoSuchNumber : Replies.NoGroup;
        if (argument.Length < 3 || argument[0] != '<' || argument[^1] != '>')
            return Replies.Syntax;
        return provider.RefuseBodies && verb is (NntpVerb.Body or NntpVerb.Article)
            ? End(Replies.QuotaUsedUp) : provider.Answer(verb, argument[1..^1]);
    }

    private Reply End(byte[] text)
    {
        Ended = true;
        return Reply.FromText(text, close: true);
    }
}
