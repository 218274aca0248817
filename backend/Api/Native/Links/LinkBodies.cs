using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Api.Native.Links;

/// <summary>A request for a link.</summary>
/// <param name="Path">The file: <c>/content/CATEGORY/JOB/FILE</c>.</param>
/// <param name="Hours">How many hours it works, from 1 to what <c>Access:LinkDays</c> allows; null: a day.</param>
internal sealed record LinkBody(string? Path, int? Hours);

/// <summary>A link that was made.</summary>
/// <param name="Path">What follows scheme and host, including the URL base.</param>
/// <param name="Expires">When it stops working.</param>
internal sealed record LinkAnswer(string Path, DateTimeOffset Expires);

/// <summary>A link that somebody made and that opens a file now.</summary>
internal sealed record LinkInfoBody
{
    /// <summary>The link's id.</summary>
    public required string Id { get; init; }

    /// <summary>The file's id.</summary>
    public required string FileId { get; init; }

    /// <summary>The file's path: <c>/content/CATEGORY/JOB/FILE</c>.</summary>
    public required string Path { get; init; }

    /// <summary>Who made it: a user, <c>full</c> or <c>read</c> for an API key; empty for a caller who need not sign in.</summary>
    public required string Maker { get; init; }

    /// <summary>How the maker was identified: <c>password</c>, <c>oidc</c>, <c>key</c>, <c>proxy</c> or <c>network</c>.</summary>
    public required string Via { get; init; }

    /// <summary>True for a player's link, false for one that was made to be shared.</summary>
    public required bool Play { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset Made { get; init; }

    /// <summary>When it stops working.</summary>
    public required DateTimeOffset Expires { get; init; }
}

/// <summary>Links.</summary>
/// <param name="Links">Latest first.</param>
internal sealed record LinkListBody(IReadOnlyList<LinkInfoBody> Links);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(LinkBody))]
[JsonSerializable(typeof(LinkAnswer))]
[JsonSerializable(typeof(LinkListBody))]
internal sealed partial class LinksJson : JsonSerializerContext;
