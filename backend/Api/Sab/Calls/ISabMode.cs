using NzbDav.Access.Keys;

namespace NzbDav.Api.Sab.Calls;

/// <summary>One or several values of <c>mode</c>.</summary>
internal interface ISabMode
{
    /// <summary>The values of <c>mode</c> that it handles.</summary>
    IReadOnlyList<string> Names { get; }

    /// <summary>The rights that a caller needs; <see cref="ApiRights.None"/>: no key is needed.</summary>
    ApiRights Needs(SabCall call);

    /// <summary>Answers a call: the members of the result are written as JSON, in lower case with underscores.</summary>
    ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken);
}
