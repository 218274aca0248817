namespace NzbDav.Api.Tests;

/// <summary>A slot as an *arr keeps it.</summary>
internal sealed record ArrItem(string Id, string Title, string Status, string Category, string Storage, string FailMessage);
