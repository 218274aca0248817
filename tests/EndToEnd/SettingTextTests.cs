using NzbDav.Host.Settings;
using NzbDav.Host.Settings.Texts;

namespace NzbDav.EndToEnd.Tests;

/// <summary>What people are told of settings.</summary>
public sealed class SettingTextTests
{
    [Fact]
    public void Each_setting_has_a_title_a_description_and_a_group()
    {
        var groups = SettingTexts.Groups.Select(group => group.Id).ToHashSet(StringComparer.Ordinal);
        var faults = SettingsDocument.Entries().Values
            .Where(entry => entry.Text is not { Title.Length: > 1, Description.Length: > 10 } text || !groups.Contains(text.Group) || !text.Description.EndsWith('.') || text.Title.EndsWith('.'))
            .Select(entry => entry.Path);
        Assert.Empty(faults);
    }

    [Fact]
    public void Nothing_is_told_of_settings_that_are_not_there()
    {
        var entries = SettingsDocument.Entries();
        Assert.Empty(SettingTexts.All.Where(text => !entries.ContainsKey(text.Path)).Select(text => text.Path));
        Assert.Equal(SettingTexts.All.Count, SettingTexts.All.Select(text => text.Path).Distinct(StringComparer.OrdinalIgnoreCase).Count());
    }

    [Fact]
    public void Choices_stand_where_a_text_is_one_of_a_few_and_hold_the_default()
    {
        foreach (var entry in SettingsDocument.Entries().Values)
        {
            Assert.True(entry.Kind == SettingKind.Choice == (entry.Text.Choices is not null), entry.Path);
            if (entry is { Text.Choices: { } choices, Default: { } otherwise })
                Assert.Contains(otherwise, choices.Select(choice => choice.Value));
        }
    }

    [Fact]
    public void Each_choice_that_is_offered_is_taken()
    {
        foreach (var entry in SettingsDocument.Entries().Values.Where(entry => entry.Kind == SettingKind.Choice && !entry.Path.Contains('#', StringComparison.Ordinal)))
        {
            foreach (var (value, _) in entry.Text.Choices!)
            {
                var reading = Running.Gateway.Sources(new Dictionary<string, string?> { [entry.Path] = value }).Read(new Dictionary<string, string>(StringComparer.Ordinal));
                Assert.DoesNotContain(reading.Faults, fault => fault.Path == entry.Path);
            }
        }
    }

    [Fact]
    public void Numbers_have_bounds_and_numbered_settings_the_name_of_their_number()
    {
        Assert.Empty(SettingsDocument.Entries().Values.Where(entry => entry.Kind == SettingKind.Number && (entry.Least is null || entry.Most is null)).Select(entry => entry.Path));
        Assert.Equal("Server", SettingTexts.Of("usenet:providers:12:host").Title);
        Assert.Equal("", SettingTexts.Of("No:Such").Title);
    }

    [Fact]
    public async Task Docs_configuration_md_has_the_tables_of_now()
    {
        var path = Documentation();
        var text = await File.ReadAllTextAsync(path);
        Assert.True(SettingsDocument.Update(text) == text, $"docs/configuration.md is not current. Renew it: {SettingsDocument.Command}");
        Assert.Throws<InvalidDataException>(() => SettingsDocument.Update(text.Replace("<!-- settings: backups -->", "", StringComparison.Ordinal)));
    }

    private static string Documentation()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "NzbDav.sln")))
            folder = folder.Parent;
        return Path.Combine(folder.FullName, "docs", "configuration.md");
    }
}
