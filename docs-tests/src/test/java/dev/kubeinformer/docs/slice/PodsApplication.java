package dev.kubeinformer.docs.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Application of the slices.
 */
@SpringBootApplication
class PodsApplication {

}
