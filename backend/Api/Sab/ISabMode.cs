namespace NzbDav.Api.Sab;

/// <summary>One or several values of <c>mode</c>.</summary>
internal interface ISabMode
{
    /// <summary>Which.</summary>
    IReadOnlyList<string> Names { get; }

    /// <summary>What a caller must be allowed to do; <see cref="ApiRights.None"/>: anybody may ask.</summary>
    ApiRights Needs(SabCall call);

    /// <summary>The answer: an object whose members are written as JSON, in lower case with underscores.</summary>
    ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken);
}
