package dev.kubeinformer.spring.test.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Application of the slices.
 */
@SpringBootApplication
class PodsApplication {

}
