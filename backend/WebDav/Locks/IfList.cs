namespace NzbDav.WebDav.Locks;

/// <summary>Conditions of an If header that must all hold.</summary>
/// <param name="Resource">The URI that they are about; null: the request's.</param>
/// <param name="Conditions">At least one.</param>
internal sealed record IfList(string? Resource, IReadOnlyList<IfCondition> Conditions);
