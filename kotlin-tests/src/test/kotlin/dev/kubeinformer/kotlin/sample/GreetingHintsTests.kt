package dev.kubeinformer.kotlin.sample

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.aot.hint.MemberCategory
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates
import org.springframework.aot.test.generate.TestGenerationContext
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.aot.ApplicationContextAotGenerator

/**
 * Tests of what a native image is told of data classes.
 */
class GreetingHintsTests {

	@Test
	fun `constructors, components and fields of data classes can be used`() {
		val context = AnnotationConfigApplicationContext()
		context.register(GreetingReconciler::class.java, GreetingHandler::class.java, GreetingReport::class.java)
		val generation = TestGenerationContext()
		ApplicationContextAotGenerator().processAheadOfTime(context, generation)
		for (type in listOf(Greeting::class.java, GreetingSpec::class.java, GreetingStatus::class.java)) {
			assertThat(RuntimeHintsPredicates.reflection().onType(type).withMemberCategories(
				MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_DECLARED_METHODS,
				MemberCategory.ACCESS_DECLARED_FIELDS)).accepts(generation.runtimeHints)
		}
	}

}
