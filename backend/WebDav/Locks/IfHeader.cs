namespace NzbDav.WebDav.Locks;

/// <summary>The If header (RFC 4918 §10.4): lists of which at least one must be true, for the request's resource or tagged ones.</summary>
/// <param name="Lists">At least one.</param>
internal sealed record IfHeader(IReadOnlyList<IfList> Lists)
{
    /// <summary>
    /// Most lists of a header: each may require a look-up of another resource. Clients send one for each resource that they change, two at
    /// most.
    /// </summary>
    internal const int MostLists = 64;

    /// <summary>True if the token is anywhere in the header: a client shows in this way that it knows of a lock.</summary>
    public bool Submits(string token)
    {
        foreach (var list in Lists)
        {
            foreach (var condition in list.Conditions)
            {
                if (condition.Token == token)
                    return true;
            }
        }

        return false;
    }

    /// <summary>Parses the header's value.</summary>
    /// <returns>Null if it is malformed, or has too many lists.</returns>
    public static IfHeader? TryParse(ReadOnlySpan<char> text)
    {
        // If = "If" ":" ( 1*No-tag-list | 1*Tagged-list ) ; Tagged-list = Resource-Tag 1*List
        var lists = new List<IfList>();
        string? resource = null;
        var tagged = false;
        text = text.Trim(" \t");
        while (!text.IsEmpty)
        {
            if (text[0] == '<')
            {
                // A tag without a list, or a tag after untagged lists, is malformed.
                if (!TryBracketed(ref text, '>', out resource) || text.IsEmpty || text[0] != '(' || (!tagged && lists.Count > 0))
                    return null;
                tagged = true;
            }
            else if (text[0] == '(' && lists.Count < MostLists && TryConditions(ref text) is { } conditions)
            {
                lists.Add(new(resource, conditions));
            }
            else
            {
                return null;
            }
        }

        return lists.Count > 0 ? new(lists) : null;
    }

    // List = "(" 1*Condition ")" ; Condition = ["Not"] (State-token | "[" entity-tag "]")
    private static List<IfCondition>? TryConditions(ref ReadOnlySpan<char> text)
    {
        var conditions = new List<IfCondition>();
        text = text[1..].TrimStart(" \t");
        while (!text.IsEmpty && text[0] != ')')
        {
            var not = text.StartsWith("Not", StringComparison.OrdinalIgnoreCase);
            if (not)
                text = text[3..].TrimStart(" \t");
            if (text.IsEmpty)
                return null;
            string? token = null;
            string? tag = null;
            if (text[0] == '<' ? !TryBracketed(ref text, '>', out token) : text[0] != '[' || !TryTag(ref text, out tag))
                return null;
            conditions.Add(new(not, token, tag));
        }

        if (text.IsEmpty || conditions.Count == 0)
            return null;
        text = text[1..].TrimStart(" \t");
        return conditions;
    }

    private static bool TryBracketed(ref ReadOnlySpan<char> text, char end, out string? inside)
    {
        var at = text.IndexOf(end);
        inside = at > 1 ? text[1..at].ToString() : null;
        text = at < 0 ? [] : text[(at + 1)..].TrimStart(" \t");
        return inside is not null;
    }

    /// <summary>Parses an entity tag. A bracket between its quotes belongs to it.</summary>
    private static bool TryTag(ref ReadOnlySpan<char> text, out string? tag)
    {
        var quoted = false;
        var at = 1;
        for (; at < text.Length && (quoted || text[at] != ']'); at++)
            quoted ^= text[at] == '"';
        tag = at < text.Length && at > 1 ? text[1..at].Trim(" \t").ToString() : null;
        text = at < text.Length ? text[(at + 1)..].TrimStart(" \t") : [];
        return tag is not null;
    }
}

/// <summary>Conditions of an If header that must all hold.</summary>
/// <param name="Resource">URI of their resource; null: the request's.</param>
/// <param name="Conditions">At least one.</param>
internal sealed record IfList(string? Resource, IReadOnlyList<IfCondition> Conditions);

/// <summary>One condition of an If header: a state token or an entity tag, one of them null.</summary>
/// <param name="Not">True if the condition is negated.</param>
/// <param name="Token">A state token without its angle brackets.</param>
/// <param name="ETag">An entity tag with its quotes.</param>
internal readonly record struct IfCondition(bool Not, string? Token, string? ETag);
