package dev.kubeinformer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Test class that runs for each of the two ways to ask for full states, over each version
 * of HTTP, and in each encoding: each of two of these meets each other at least once.
 * HTTP/2 is used without TLS, by prior knowledge; above TLS it is the same.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@CsvSource({ "AUTO, HTTP_1_1, JSON", "PAGED, HTTP_1_1, PROTOBUF", "AUTO, H2_PRIOR_KNOWLEDGE, PROTOBUF",
		"PAGED, H2_PRIOR_KNOWLEDGE, JSON" })
@interface InEveryWay {

}
