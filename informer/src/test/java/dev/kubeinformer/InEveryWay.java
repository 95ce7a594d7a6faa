package dev.kubeinformer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Test class that runs for each of the two ways to ask for full states, over each version
 * of HTTP. HTTP/2 is used without TLS, by prior knowledge; above TLS it is the same.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@CsvSource({ "AUTO, HTTP_1_1", "PAGED, HTTP_1_1", "AUTO, H2_PRIOR_KNOWLEDGE", "PAGED, H2_PRIOR_KNOWLEDGE" })
@interface InEveryWay {

}
