package dev.kubeinformer.definitions;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.definitions.hard.HardClasses;

import static org.assertj.core.api.Assertions.assertThat;

class HardClassesTests {

	@Test
	void eachHasADefinition() {
		List<Class<?>> classes = HardClasses.all();
		assertThat(classes).hasSizeGreaterThanOrEqualTo(30);
		CustomResourceDefinitions definitions = CustomResourceDefinitions.of(classes);
		assertThat(definitions.all()).hasSize(classes.size() - 2);
	}

}
