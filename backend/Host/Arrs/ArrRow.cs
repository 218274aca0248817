namespace NzbDav.Host.Arrs;

/// <summary>One of them, without its key.</summary>
/// <param name="Number">What it is configured under.</param>
/// <param name="Name">What it is called.</param>
/// <param name="Application">Which program it is.</param>
/// <param name="Url">Where it is.</param>
/// <param name="Category">Of its downloads here.</param>
/// <param name="Trouble">What went wrong when it was last spoken to; null: nothing.</param>
internal sealed record ArrRow(int Number, string Name, string Application, string Url, string Category, string? Trouble)
{
    public static ArrRow Of(ArrInstance instance) => new(
        instance.Settings.Number, instance.Settings.Name, instance.Settings.Options.Application.ToString(), instance.Settings.Options.Url, instance.Settings.Category, instance.Trouble);
}
