package dev.kubeinformer.spring.handler.container;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.settings.Setting;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link HandlerSettings}: annotations and properties name settings that there
 * are.
 */
class HandlerSettingsTests {

	private static final Set<String> NO_SETTINGS = Set.of("value", "resource", "id", "cluster");

	@Test
	void everyAttributeOfAHandlerShouldBeASetting() {
		assertThat(attributes(InformerHandler.class)).isSubsetOf(names(HandlerSettings.ALL.stream()));
	}

	@Test
	void everyAttributeOfASourceShouldSelectWhatIsCached() {
		assertThat(attributes(InformerSource.class))
			.containsExactlyInAnyOrderElementsOf(names(Setting.SELECTION.stream()));
	}

	@Test
	void everyPropertyOfAHandlerShouldBeASettingOfItsType() {
		Map<String, Class<?>> properties = new HashMap<>();
		collect(InformersProperties.Handler.class, "", properties);
		collect(InformersProperties.Retry.class, "retry.", properties);
		properties.remove("retry");
		assertThat(properties).containsExactlyInAnyOrderEntriesOf(
				Stream.concat(HandlerSettings.ALL.stream(), RetryPolicyBackoff.SETTINGS.stream())
					.collect(Collectors.toMap(Setting::name, Setting::type)));
	}

	private static void collect(Class<?> type, String prefix, Map<String, Class<?>> properties) {
		for (RecordComponent property : type.getRecordComponents()) {
			properties.put(prefix + property.getName(), property.getType());
		}
	}

	private static Set<String> attributes(Class<?> annotation) {
		Set<String> names = Stream.of(annotation.getDeclaredMethods()).map(Method::getName).collect(Collectors.toSet());
		names.removeAll(NO_SETTINGS);
		return names;
	}

	private static Set<String> names(Stream<Setting<?>> settings) {
		return settings.map(Setting::attribute).collect(Collectors.toSet());
	}

}
