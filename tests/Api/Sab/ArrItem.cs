namespace NzbDav.Api.Tests.Sab;

/// <summary>A slot as an *arr stores it.</summary>
internal sealed record ArrItem(string Id, string Title, string Status, string Category, string Storage, string FailMessage);
